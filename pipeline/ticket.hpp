// Ticket: the only message of the graph. Every ticket that leaves the source reaches the sink exactly once.
#pragma once

#include <cstdint>

namespace outcrop::pipeline {

struct Ticket {
  std::int64_t tile = -1;
  int slot = -1;
  bool poisoned = false;  ///< an earlier stage failed: walk the path, do no work
};

}  // namespace outcrop::pipeline
