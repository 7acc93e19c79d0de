// Copies. One from memory that is not pinned has read it when the call returns; one to it is done then.
#include <cstring>
#include <memory>

#include "tests/cuda_stand_in/handles.hpp"

using namespace outcrop::test::stand_in;

namespace {

struct Rectangle {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t to_stride = 0;
  std::size_t from_stride = 0;
  std::size_t width = 0;
  std::size_t rows = 1;

  Range source() const { return {from, (rows - 1) * from_stride + width}; }
  Range target() const { return {to, (rows - 1) * to_stride + width}; }

  void copy() const {
    for (std::size_t row = 0; row < rows; ++row) std::memcpy(to + row * to_stride, from + row * from_stride, width);
  }

  /// A number that changes when what is copied does.
  std::uint64_t source_sum() const {
    std::uint64_t sum = 14695981039346656037u;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        sum = (sum ^ static_cast<std::uint64_t>(from[row * from_stride + i])) * 1099511628211u;
      }
    }
    return sum;
  }
};

void expect_places(const Rectangle& copy, bool to_device) {
  const Range& here = to_device ? copy.target() : copy.source();
  const Range& there = to_device ? copy.source() : copy.target();
  if (!Device::get().is_on_device(here)) Device::get().blame("a copy leaves the memory of the device");
  if (Device::get().is_on_device(there)) Device::get().blame("a copy takes memory of the device for the host's");
}

void copy_in_from_pinned(const Rectangle& copy, Stream& stream) {
  stream.add({[copy, sum = copy.source_sum()] {
                if (Device::get().fails_at_work()) return;
                if (copy.source_sum() != sum) Device::get().blame("memory changed while it was yet to be copied");
                copy.copy();
              },
              {copy.source(), copy.target()}});
}

void copy_in_from_pageable(const Rectangle& copy, Stream& stream) {
  const auto taken = std::make_shared<std::vector<std::byte>>(copy.width * copy.rows);
  Rectangle later = copy;
  later.from = taken->data();
  later.from_stride = copy.width;
  Rectangle now = later;
  now.to = taken->data();
  now.to_stride = copy.width;
  now.from = copy.from;
  now.from_stride = copy.from_stride;
  now.copy();
  stream.add({[later, taken] {
                if (!Device::get().fails_at_work()) later.copy();
              },
              {later.target()}});
}

cudaError_t order(const Rectangle& copy, cudaMemcpyKind kind, cudaStream_t stream) {
  stream->expect_current();
  if (copy.width > copy.to_stride || copy.width > copy.from_stride) {
    return Device::get().note(cudaErrorInvalidPitchValue);
  }
  const bool to_device = kind == cudaMemcpyHostToDevice;
  if (!to_device && kind != cudaMemcpyDeviceToHost) return Device::get().note(cudaErrorInvalidMemcpyDirection);
  expect_places(copy, to_device);
  if (to_device) {
    Device::get().is_pinned(copy.source()) ? copy_in_from_pinned(copy, stream->stream)
                                           : copy_in_from_pageable(copy, stream->stream);
    return cudaSuccess;
  }
  stream->stream.add({[copy] {
                        if (!Device::get().fails_at_work()) copy.copy();
                      },
                      {copy.source(), copy.target()}});
  if (Device::get().is_pinned(copy.target())) return cudaSuccess;
  stream->stream.wait();
  return Device::get().note(Device::get().lasting());
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  return order({static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes, bytes, bytes, 1}, kind,
               stream);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                              std::size_t width, std::size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  return order({static_cast<std::byte*>(to), static_cast<const std::byte*>(from), to_stride, from_stride, width, rows},
               kind, stream);
}

}  // extern "C"
