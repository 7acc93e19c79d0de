// The write stage: blocks of output planes to the sink. Waits for storage.
#pragma once

#include <vector>

#include "io/tile_sink.hpp"

namespace outcrop::pipeline {

class WriteStage {
 public:
  explicit WriteStage(io::TileSink& sink) : sink_(sink) {}

  /// Gives: bytes written.
  std::int64_t operator()(const std::vector<io::PlaneBlock>& blocks) const {
    std::int64_t bytes = 0;
    for (const auto& block : blocks) bytes += sink_.write(block);
    return bytes;
  }

 private:
  io::TileSink& sink_;
};

}  // namespace outcrop::pipeline
