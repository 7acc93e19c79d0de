// TileWork: the path of a tile, step by step, guarded. Both runners call these in the same order; neither adds any
// work.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "pipeline/band_pool.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run_state.hpp"
#include "pipeline/runner.hpp"
#include "pipeline/slot_pool.hpp"
#include "pipeline/stages/decode.hpp"
#include "pipeline/stages/read.hpp"
#include "pipeline/stages/solve.hpp"
#include "pipeline/stages/write.hpp"
#include "pipeline/ticket.hpp"

namespace outcrop::pipeline {

/// Thread-safe: different tickets at the same time. No member throws; errors go to the run state and poison the ticket.
class TileWork {
 public:
  /// Allocates slots, bands and scratch, and compiles the step. Throws what those throw.
  TileWork(const Job& job, RunState& state);

  /// The tile after the last one handed out; nullopt when there is none or the run is stopping. One thread at a time.
  std::optional<std::int64_t> next_tile();

  Ticket begin(std::int64_t tile, int slot);
  Ticket read(Ticket ticket);
  Ticket decode(Ticket ticket);
  void solve(Ticket ticket, std::function<void(Ticket)> done);
  void wait_for_solved() { job_.backend.drain(); }  ///< what solve() was given has been called

  /// True when tiles are written straight from their slots: then write_tile, else reserve, gather, write_band.
  bool writes_tiles() const { return !bands_; }
  Ticket write_tile(Ticket ticket);

  std::optional<int> reserve_band(const Ticket& ticket) { return bands_->reserve(ticket); }
  /// Gives the band when this was its last tile.
  std::optional<FullBand> gather(Ticket& ticket, int buffer);
  /// Gives the parked tickets that can go on.
  std::vector<Ticket> write_band(const FullBand& band);

  /// The slot of the ticket is free again.
  int end(const Ticket& ticket);

  const Backend& backend() const { return job_.backend; }
  int num_slots() const { return slots_.size(); }
  int slots_alive() const { return slots_.alive(); }
  double first_read_s() const { return first_read_s_; }
  void finish_progress() { progress_.finish(); }

 private:
  /// Stored bytes of the slot's tile, now or read before. Gives: the bytes read now.
  std::int64_t fill(Slot& slot);
  void record_solve(const Ticket& ticket, double start_s);

  const Job& job_;
  RunState& state_;
  SlotPool slots_;
  std::optional<BandPool> bands_;
  ReadStage read_;
  DecodeStage decode_;
  SolveStage solve_;
  WriteStage write_;
  Progress progress_;
  std::int64_t next_ = 0;
  std::atomic<double> first_read_s_{0};
};

/// The two ways to run it. They return when every ticket has ended.
void run_serial(TileWork& work);
void run_graph(TileWork& work, const Plan& plan);

}  // namespace outcrop::pipeline
