#include "tests/cuda_stand_in/device.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace outcrop::test::stand_in {
namespace {

thread_local cudaError_t last = cudaSuccess;

constexpr std::size_t alignment = 256;
constexpr int nan_bytes = 0xff;  // as float and as double

}  // namespace

Device& Device::get() {
  static Device device;
  return device;
}

Device::~Device() {
  if (plan_.log.empty()) return;
  std::ofstream log(plan_.log);
  for (const std::string& call : calls_) log << "call " << call << "\n";
  log << "works " << num_works_ << "\n";
  for (const auto& [what, count] : alive_) {
    if (count != 0) log << "alive " << count << " " << what << "\n";
  }
  for (const std::string& sentence : blamed_) log << "blamed " << sentence << "\n";
  log << "end\n";
}

cudaError_t Device::enter(const char* call) {
  const std::lock_guard lock(mutex_);
  calls_.emplace_back(call);
  if (lasting_ == cudaSuccess && static_cast<std::int64_t>(calls_.size()) == plan_.call) {
    if (plan_.is_lasting) lasting_ = static_cast<cudaError_t>(plan_.error);
    return last = static_cast<cudaError_t>(plan_.error);
  }
  return lasting_ == cudaSuccess ? cudaSuccess : last = lasting_;
}

bool Device::fails_at_work() {
  const std::lock_guard lock(mutex_);
  if (++num_works_ == plan_.order) lasting_ = static_cast<cudaError_t>(plan_.error);
  return lasting_ != cudaSuccess;
}

cudaError_t Device::note(cudaError_t code) {
  if (code != cudaSuccess) last = code;
  return code;
}

cudaError_t Device::last_error() {
  const std::lock_guard lock(mutex_);
  const cudaError_t code = lasting_ != cudaSuccess ? lasting_ : last;
  last = cudaSuccess;
  return code;
}

cudaError_t Device::lasting() const {
  const std::lock_guard lock(mutex_);
  return lasting_;
}

cudaError_t Device::allocate(void** memory, std::size_t bytes, bool on_device) {
  const std::lock_guard lock(mutex_);
  std::int64_t& used = on_device ? device_bytes_ : pinned_bytes_;
  const std::int64_t most = on_device ? plan_.memory - taken_ : plan_.pinned;
  if (used + static_cast<std::int64_t>(bytes) > most) return note(cudaErrorMemoryAllocation);
  void* const made = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (made == nullptr) return note(cudaErrorMemoryAllocation);
  std::memset(made, nan_bytes, bytes);
  (on_device ? device_memory_ : pinned_memory_)[static_cast<std::byte*>(made)] = bytes;
  used += static_cast<std::int64_t>(bytes);
  ++alive_[on_device ? "device memory" : "pinned memory"];
  *memory = made;
  return cudaSuccess;
}

void Device::free(void* memory, bool on_device) {
  if (memory == nullptr) return;
  const std::lock_guard lock(mutex_);
  auto& ranges = on_device ? device_memory_ : pinned_memory_;
  const auto found = ranges.find(static_cast<std::byte*>(memory));
  if (found == ranges.end()) {
    blamed_.emplace_back("memory is freed that is not there, or of the other kind");
    return;
  }
  for (Stream* const stream : streams_) {
    if (stream->is_using({found->first, found->second}))
      blamed_.emplace_back("memory is freed that a stream still uses");
  }
  (on_device ? device_bytes_ : pinned_bytes_) -= static_cast<std::int64_t>(found->second);
  ranges.erase(found);
  --alive_[on_device ? "device memory" : "pinned memory"];
  std::free(memory);
}

void Device::tell_memory(std::size_t* free_bytes, std::size_t* total) {
  const std::lock_guard lock(mutex_);
  *free_bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, plan_.memory - taken_ - device_bytes_));
  *total = static_cast<std::size_t>(plan_.memory);
  taken_ = plan_.taken_later;
}

bool Device::is_inside(const std::map<const std::byte*, std::size_t>& ranges, const Range& range) {
  const auto after = ranges.upper_bound(range.begin);
  if (after == ranges.begin()) return false;
  const auto& [begin, bytes] = *std::prev(after);
  return Range{begin, bytes}.holds(range);
}

bool Device::is_on_device(const Range& range) const {
  const std::lock_guard lock(mutex_);
  return is_inside(device_memory_, range);
}

bool Device::is_pinned(const Range& range) const {
  const std::lock_guard lock(mutex_);
  return is_inside(pinned_memory_, range);
}

void Device::add(Stream* stream) {
  const std::lock_guard lock(mutex_);
  streams_.insert(stream);
}

void Device::remove(Stream* stream) {
  const std::lock_guard lock(mutex_);
  streams_.erase(stream);
}

void Device::count_alive(const char* what, int change) {
  const std::lock_guard lock(mutex_);
  alive_[what] += change;
}

void Device::blame(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  blamed_.push_back(sentence);
}

Stream::Stream() : thread_([this] { work(); }) { Device::get().add(this); }

Stream::~Stream() {
  wait();
  Device::get().remove(this);
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Stream::add(Order order) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
  }
  changed_.notify_all();
}

void Stream::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return orders_.empty(); });
}

bool Stream::is_using(const Range& range) {
  const std::lock_guard lock(mutex_);
  return std::any_of(orders_.begin(), orders_.end(), [&](const Order& order) {
    return std::any_of(order.uses.begin(), order.uses.end(), [&](const Range& used) { return range.holds(used); });
  });
}

void Stream::work() {
  const std::chrono::microseconds delay(Device::get().plan().delay_us);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !orders_.empty() || ending_; });
    if (orders_.empty()) return;
    const Order& order = orders_.front();  // stays where it is while others are added
    lock.unlock();
    if (delay.count() > 0) std::this_thread::sleep_for(delay);
    order.work();
    lock.lock();
    orders_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace outcrop::test::stand_in
