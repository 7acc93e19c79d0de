// guard(): the one try/catch between the stages and whatever runs them. A body that throws becomes the run's error and
// a poisoned ticket; no exception passes through a graph node, a thread or a callback.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "core/clock.hpp"
#include "pipeline/run_state.hpp"
#include "pipeline/ticket.hpp"

namespace outcrop::pipeline {

/// Notes the error of a stage, with what was being done.
inline void report_failure(RunState& state, const char* stage, std::int64_t tile, Error error) {
  state.fail(std::move(error).within(fmt::format("tile {}, stage {}", tile, stage)));
}

/// Runs `body` (which gives the bytes it moved) unless the ticket is poisoned or the run is stopping.
template <class Body>
Ticket guard(RunState& state, const char* stage, Ticket ticket, Body&& body) {
  if (ticket.poisoned || state.stopping()) {
    ticket.poisoned = true;
    return ticket;
  }
  Span span{stage, ticket.tile, thread_number(), wall_s(), 0, 0, 0};
  const double cpu = thread_cpu_s();
  try {
    span.bytes = std::forward<Body>(body)();
  } catch (...) {
    report_failure(state, stage, ticket.tile, current_error());
    ticket.poisoned = true;
  }
  span.end_s = wall_s();
  span.cpu_s = thread_cpu_s() - cpu;
  state.trace.record(std::move(span));
  return ticket;
}

}  // namespace outcrop::pipeline
