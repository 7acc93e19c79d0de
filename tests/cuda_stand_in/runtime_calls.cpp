// The calls of CUDA's runtime that gpu/cuda makes: devices, errors, memory, streams and events.
#include <cmath>
#include <cstdio>

#include "core/clock.hpp"
#include "tests/cuda_stand_in/handles.hpp"

namespace outcrop::test::stand_in {
namespace {

thread_local int current = 0;

constexpr int runtime_version = CUDART_VERSION;

}  // namespace

int current_device() { return current; }
void choose_device(int number) { current = number; }

void Owned::expect_current() const {
  if (device_ == current) return;
  Device::get().blame(std::string("a call for a ") + what_ + " of another device than the thread has chosen");
}

}  // namespace outcrop::test::stand_in

using namespace outcrop::test::stand_in;

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *version = Device::get().plan().driver;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *version = runtime_version;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *count = Device::get().plan().devices;
  return Device::get().note(static_cast<cudaError_t>(Device::get().plan().count_error));
}

cudaError_t cudaSetDevice(int number) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  if (number < 0 || number >= Device::get().plan().devices) return Device::get().note(cudaErrorInvalidDevice);
  choose_device(number);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "stand-in %d", number);
  properties->major = 9;
  properties->totalGlobalMem = static_cast<std::size_t>(Device::get().plan().memory);
  properties->multiProcessorCount = 3;
  properties->maxThreadsPerMultiProcessor = 1000;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return Device::get().last_error(); }

const char* cudaGetErrorName(cudaError_t code) {
  static thread_local char name[32];
  std::snprintf(name, sizeof name, "error %d by name", static_cast<int>(code));
  return name;
}

const char* cudaGetErrorString(cudaError_t code) {
  static thread_local char words[32];
  std::snprintf(words, sizeof words, "the words of error %d", static_cast<int>(code));
  return words;
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  Device::get().tell_memory(free_bytes, total);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  return Device::get().allocate(memory, bytes, true);
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned /*flags*/) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  return Device::get().allocate(memory, bytes, false);
}

// What is freed or destroyed is so whatever the call gives: CUDA tells of earlier failures in any call.

cudaError_t cudaFree(void* memory) {
  Device::get().free(memory, true);
  return Device::get().enter(__func__);
}

cudaError_t cudaFreeHost(void* memory) {
  Device::get().free(memory, false);
  return Device::get().enter(__func__);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  if (flags != cudaStreamNonBlocking) Device::get().blame("a stream that is ordered with the default stream");
  *stream = new CUstream_st;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  stream->expect_current();
  delete stream;
  return Device::get().enter(__func__);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  stream->stream.wait();  // also when the call fails: nothing is under way on a device that has failed
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  stream->expect_current();
  return Device::get().note(Device::get().lasting());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned /*flags*/) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  {
    const std::lock_guard lock(event->mutex);
    if (event->reached != event->recorded) Device::get().blame("an event is destroyed before it was reached");
  }
  delete event;
  return Device::get().enter(__func__);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  event->expect_current();
  stream->expect_current();
  {
    const std::lock_guard lock(event->mutex);
    ++event->recorded;
  }
  stream->stream.add({[event] {
                        const std::lock_guard lock(event->mutex);
                        ++event->reached;
                        event->reached_s = outcrop::wall_s();
                        event->changed.notify_all();
                      },
                      {}});
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  std::unique_lock lock(event->mutex);
  event->changed.wait(lock, [event] { return event->reached == event->recorded; });
  return Device::get().note(Device::get().lasting());
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  const std::scoped_lock lock(start->mutex, end->mutex);
  if (start->recorded == 0 || end->recorded == 0) return Device::get().note(cudaErrorInvalidResourceHandle);
  if (end->reached != end->recorded) return Device::get().note(cudaErrorNotReady);
  *milliseconds = static_cast<float>((end->reached_s - start->reached_s) * 1e3);
  return cudaSuccess;
}

}  // extern "C"
