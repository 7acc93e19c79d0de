#include "gpu/sim/stream.hpp"

#include <utility>

#include "core/clock.hpp"

namespace outcrop::gpu::sim {

void SimEvent::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !expected_; });
  if (failure_) throw Error(*failure_);
}

double SimEvent::reached_s() const {
  const std::lock_guard lock(mutex_);
  return reached_s_;
}

void SimEvent::expect() {
  const std::lock_guard lock(mutex_);
  expected_ = true;
  failure_.reset();
}

void SimEvent::reach(const std::optional<Error>& what_failed) {
  // Told under the lock: whoever waits may end the event's life as soon as it is free.
  const std::lock_guard lock(mutex_);
  expected_ = false;
  reached_s_ = wall_s();
  failure_ = what_failed;
  changed_.notify_all();
}

SimStream::SimStream(std::shared_ptr<Device> device) : device_(std::move(device)), thread_([this] { work(); }) {}

SimStream::~SimStream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SimStream::copy_in(std::byte* device, const std::byte* host, const CopyShape& shape) {
  push([this, device, host, shape](std::int64_t number) { device_->copy_in(number, device, host, shape); }, nullptr);
}

void SimStream::copy_out(std::byte* host, const std::byte* device, const CopyShape& shape) {
  push([this, device, host, shape](std::int64_t number) { device_->copy_out(number, host, device, shape); }, nullptr);
}

void SimStream::launch(const Launch& launch) {
  push([this, launch](std::int64_t number) { device_->run(number, launch); }, nullptr);
}

void SimStream::factor(const BatchedSystems& systems) {
  push([this, systems](std::int64_t number) { device_->factor(number, systems); }, nullptr);
}

void SimStream::solve(const BatchedSystems& systems) {
  push([this, systems](std::int64_t number) { device_->solve(number, systems); }, nullptr);
}

void SimStream::record(Event& event) {
  auto& mine = static_cast<SimEvent&>(event);
  if (const auto failed = failure()) throw Error(*failed);
  mine.expect();
  push(nullptr, &mine);
}

void SimStream::wait() noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return orders_.empty() && !busy_; });
}

std::optional<Error> SimStream::failure() const {
  if (auto failed = device_->failure()) return failed;
  const std::lock_guard lock(mutex_);
  return death_;
}

void SimStream::push(std::function<void(std::int64_t)> work, SimEvent* event) {
  if (event == nullptr) {
    if (const auto failed = failure()) throw Error(*failed);
  }
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back({std::move(work), event, device_->next_number()});
  }
  changed_.notify_all();
}

void SimStream::carry_out(const Order& order) {
  auto failed = failure();
  if (order.event != nullptr) {
    order.event->reach(failed);
    return;
  }
  if (failed) return;
  if (device_->kills_stream()) {
    const std::lock_guard lock(mutex_);
    death_ = Error(Errc::device, "a queue of the simulated device died as planned");
    return;
  }
  try {
    order.work(order.number);
  } catch (...) {
    device_->fail_for_good(current_error());
  }
}

void SimStream::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !orders_.empty() || ending_; });
    if (orders_.empty()) return;
    const Order order = std::move(orders_.front());
    orders_.pop_front();
    busy_ = true;
    lock.unlock();
    carry_out(order);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace outcrop::gpu::sim
