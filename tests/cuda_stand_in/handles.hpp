// What CUDA's handles point to in the stand-in.
#pragma once

#include <condition_variable>
#include <mutex>

#include "tests/cuda_stand_in/device.hpp"

namespace outcrop::test::stand_in {

/// The device that this thread has chosen.
int current_device();
void choose_device(int number);

/// Counts what is alive of its kind, and knows its device.
class Owned {
 public:
  explicit Owned(const char* what) : what_(what), device_(current_device()) { Device::get().count_alive(what_, 1); }
  ~Owned() { Device::get().count_alive(what_, -1); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  /// Blames a call that comes while another device is chosen.
  void expect_current() const;

 private:
  const char* what_;
  int device_;
};

}  // namespace outcrop::test::stand_in

struct CUstream_st : outcrop::test::stand_in::Owned {
  CUstream_st() : Owned("stream") {}

  outcrop::test::stand_in::Stream stream;
};

struct CUevent_st : outcrop::test::stand_in::Owned {
  CUevent_st() : Owned("event") {}

  std::mutex mutex;
  std::condition_variable changed;
  int recorded = 0;  ///< times
  int reached = 0;   ///< of them
  double reached_s = 0;
};
