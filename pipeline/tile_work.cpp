#include "pipeline/tile_work.hpp"

#include <memory>
#include <utility>

#include "pipeline/guard.hpp"

namespace outcrop::pipeline {
namespace {

/// With fewer slots where the memory that they have is what the program lacks.
std::unique_ptr<TileProgram> compile(const Job& job, SlotPool& slots) {
  while (true) {
    try {
      auto program = job.backend.compile(job.step, *job.plan.layout);
      slots.tell(job.warn);
      return program;
    } catch (const Error& error) {
      if (slots.size() == 1 || error.code() != Errc::out_of_memory) throw;
      slots.drop(error.what());
    }
  }
}

}  // namespace

TileWork::TileWork(const Job& job, RunState& state)
    : job_(job),
      state_(state),
      slots_(job.plan, job.backend),
      read_(job.source),
      decode_(job.source, job.step, job.workers.decode_for()),
      solve_(job.backend, compile(job, slots_)),
      write_(job.sink),
      progress_(job.progress, job.plan.grid.rows() * job.plan.grid.cols()) {
  if (job.plan.bands.tiles_across > 0) bands_.emplace(job.plan, job.sink);
}

std::optional<std::int64_t> TileWork::next_tile() {
  if (state_.stopping() || next_ >= job_.plan.grid.count()) return std::nullopt;
  return next_++;
}

Ticket TileWork::begin(std::int64_t tile, int slot) {
  slots_.take(slot, tile, job_.plan.grid.rect(tile));
  return {tile, slot, false};
}

Ticket TileWork::read(Ticket ticket) {
  if (ticket.tile == 0) first_read_s_ = wall_s();
  return guard(state_, "read", ticket, [&] { return fill(slots_[ticket.slot]); });
}

std::int64_t TileWork::fill(Slot& slot) {
  std::optional<Span> before;
  if (job_.head_start != nullptr) before = job_.head_start->take(slot);
  if (!before) return read_(slot);
  if (slot.tile == 0) first_read_s_ = before->start_s;
  state_.trace.record(std::move(*before));
  return 0;
}

Ticket TileWork::decode(Ticket ticket) {
  return guard(state_, "decode", ticket, [&] { return decode_(slots_[ticket.slot]); });
}

void TileWork::solve(Ticket ticket, std::function<void(Ticket)> done) {
  if (ticket.poisoned || state_.stopping()) {
    ticket.poisoned = true;
    done(ticket);
    return;
  }
  const double start_s = wall_s();
  auto completed = [this, ticket, start_s, done = std::move(done)](std::optional<Error> error) {
    Ticket after = ticket;
    if (error) {
      report_failure(state_, "solve", ticket.tile, std::move(*error));
      after.poisoned = true;
    }
    record_solve(ticket, start_s);
    done(after);
  };
  solve_(slots_[ticket.slot], std::move(completed));
}

void TileWork::record_solve(const Ticket& ticket, double start_s) {
  Slot& slot = slots_[ticket.slot];
  if (slot.spans.empty()) {
    state_.trace.record({"solve", ticket.tile, thread_number(), start_s, wall_s(), 0, 0});
  }
  for (Span& span : slot.spans) state_.trace.record(std::move(span));
  slot.spans.clear();
}

Ticket TileWork::write_tile(Ticket ticket) {
  return guard(state_, "write", ticket, [&] {
    const std::int64_t bytes = write_(slot_blocks(slots_[ticket.slot], job_.sink));
    state_.bytes_written += bytes;
    return bytes;
  });
}

std::optional<FullBand> TileWork::gather(Ticket& ticket, int buffer) {
  ticket = guard(state_, "gather", ticket, [&] {
    bands_->gather(slots_[ticket.slot], buffer);
    return std::int64_t{0};
  });
  return bands_->arrived(ticket);
}

std::vector<Ticket> TileWork::write_band(const FullBand& band) {
  guard(state_, "write", {band.band, -1, band.poisoned}, [&] {
    const std::int64_t bytes = write_(bands_->blocks(band));
    state_.bytes_written += bytes;
    return bytes;
  });
  return bands_->release(band);
}

int TileWork::end(const Ticket& ticket) {
  const Slot& slot = slots_[ticket.slot];
  if (!ticket.poisoned) {
    state_.count(slot.tally, slot.num_read, slot.num_decoded);
    progress_.tile_done(slot.rect.pixels(), state_.bytes_read);
  }
  slots_.give_back(ticket.slot);
  return ticket.slot;
}

}  // namespace outcrop::pipeline
