// Staging: two chunks of host memory for what the host makes tile by tile: one is filled while the other is copied.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "gpu/memory.hpp"
#include "gpu/runtime.hpp"
#include "gpu/turns.hpp"

namespace outcrop::gpu {

class Staging {
 public:
  static constexpr std::int64_t num_chunks = 2;

  Staging(const std::shared_ptr<Runtime>& runtime, std::int64_t chunk_bytes, const Warn& warn) {
    for (Chunk& chunk : chunks_) {
      chunk.memory = PinnedBuffer(runtime, chunk_bytes, warn);
      chunk.copied = runtime->make_event();
    }
  }

  /// Held by whoever fills chunks: of several tiles one after the other.
  Turns& turns() { return turns_; }

  /// The next chunk, once its last copy is done. Throws: Errc::device when that failed.
  std::byte* next() {
    current_ = (current_ + 1) % chunks_.size();
    Chunk& chunk = chunks_[current_];
    if (chunk.under_way) {
      chunk.under_way = false;
      chunk.copied->wait();
    }
    return chunk.memory.data();
  }

  /// All copies of the chunk have been ordered in this stream.
  void ordered(Stream& stream) {
    Chunk& chunk = chunks_[current_];
    stream.record(*chunk.copied);
    chunk.under_way = true;
  }

 private:
  struct Chunk {
    PinnedBuffer memory;
    std::unique_ptr<Event> copied;
    bool under_way = false;
  };

  Turns turns_;
  std::array<Chunk, static_cast<std::size_t>(num_chunks)> chunks_;
  std::size_t current_ = 0;
};

}  // namespace outcrop::gpu
