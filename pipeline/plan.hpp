// Plan: everything about a run that can be decided before the first byte of data is read: tiles, slots, bands, threads,
// memory and predicted time. Made by one pure function; immutable afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "core/slot.hpp"
#include "core/tile.hpp"
#include "io/tile_sink.hpp"
#include "io/tile_source.hpp"
#include "model/step.hpp"
#include "pipeline/config.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::pipeline {

/// Output bands: tiles of one row of the grid whose outputs are gathered and written as long runs.
struct Bands {
  std::int64_t tiles_across = 0;  ///< tiles in a full band; 0: tiles are as wide as the image and are written directly
  std::int64_t per_row = 1;       ///< bands beside each other
  int buffers = 0;
  std::int64_t bytes = 0;  ///< of one buffer

  /// Whether the runs of a row are shorter than the image.
  bool cut_rows() const { return tiles_across > 0 && per_row > 1; }
};

struct Prediction {
  double wall_s = 0;
  std::string rates;                                   ///< rates_id() of the machine
  std::string bottleneck;                              ///< the stage that bounds the run
  std::string next;                                    ///< the one that would, if that one took no time
  std::vector<std::pair<std::string, double>> stages;  ///< seconds each stage needs alone
};

struct Plan {
  TileGrid grid;
  int slots = 1;
  Bands bands;
  int threads = 1;
  int readers = 1;
  int writers = 1;
  Runner runner = Runner::graph;

  std::shared_ptr<const SlotLayout> layout;
  std::int64_t scratch_bytes = 0;  ///< of the decoders, all workers together

  std::int64_t memory_cap_bytes = 0;
  std::string memory_reason;                                 ///< where the cap comes from
  std::vector<std::pair<std::string, std::int64_t>> memory;  ///< what will be held, by name

  std::int64_t needed_bytes = 0;   ///< stored size of what the step uses
  std::int64_t decoded_bytes = 0;  ///< the same as float32
  std::int64_t packed_bytes = 0;   ///< of the decoded ones: of chunks that have to be decompressed
  std::int64_t direct_bytes = 0;   ///< of the decoded ones: read to where they are wanted
  std::int64_t output_bytes = 0;
  std::int64_t space_bytes =
      0;                     ///< that the outputs want to be free on the storage: theirs, headers, what is carried over
  double reread_factor = 1;  ///< bytes that tiles read over bytes needed
  bool unwritten = false;    ///< the input is headers alone: no byte of what the step uses is stored yet
  std::int64_t device_bytes = 0;

  /// Bytes from storage and to it: of an unwritten input as many as when it is stored without compression.
  double fetched_bytes() const;
  double moved_bytes() const { return fetched_bytes() + static_cast<double>(output_bytes); }

  std::string device;
  std::string solver;
  int queues = 1;
  std::string assembly;       ///< who forms design matrices, "host" or "device"; "none": the solver needs none
  ProgramOnDevice program;    ///< what the step's program takes of the device
  std::string reason;         ///< why this device
  std::string solver_reason;  ///< why this solver

  Prediction predicted;
  std::vector<std::string> notes;  ///< what a user should know before the run

  std::int64_t planned_bytes() const;  ///< sum of `memory`
};

/// What is known about the machine and the wish when a plan is made.
struct PlanInputs {
  const Config& config;
  const model::Step& step;
  const io::TileSource& source;
  const io::TileSink& sink;
  Backend& backend;
  Machine machine;
  std::int64_t memory_cap_bytes = 0;
  std::string memory_reason;
  int threads = 1;
  std::int64_t held_bytes = 0;  ///< by the libraries of devices that were opened and are not used
};

/// Throws: Errc::out_of_memory when not even one small tile fits on the device; Errc::usage when the cap is too small,
/// with the smallest that works; Errc::internal when source, sink and step disagree about the planes.
Plan make_plan(const PlanInputs& inputs);

/// The plan for people, several lines.
std::string explain(const Plan& plan);

/// The plan as JSON text with the keys of the run report.
std::string to_json(const Plan& plan);

}  // namespace outcrop::pipeline
