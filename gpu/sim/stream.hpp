// Streams and events of the simulated device: a stream is a thread that does its work in order.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "gpu/runtime.hpp"
#include "gpu/sim/device.hpp"

namespace outcrop::gpu::sim {

class SimEvent final : public Event {
 public:
  void wait() override;
  double reached_s() const override;

  // What streams call.
  void expect();                                        ///< it has been recorded, and is to be reached
  void reach(const std::optional<Error>& what_failed);  ///< before it

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool expected_ = false;
  double reached_s_ = 0;
  std::optional<Error> failure_;
};

class SimStream final : public Stream {
 public:
  explicit SimStream(std::shared_ptr<Device> device);
  ~SimStream() override;

  void copy_in(std::byte* device, const std::byte* host, const CopyShape& shape) override;
  void copy_out(std::byte* host, const std::byte* device, const CopyShape& shape) override;
  void launch(const Launch& launch) override;
  void warm_up(const BatchedSystems& /*systems*/) override {}
  void factor(const BatchedSystems& systems) override;
  void solve(const BatchedSystems& systems) override;
  void record(Event& event) override;
  void wait() noexcept override;

 private:
  /// One of both.
  struct Order {
    std::function<void(std::int64_t)> work;
    SimEvent* event = nullptr;
    std::int64_t number = 0;
  };

  void push(std::function<void(std::int64_t)> work, SimEvent* event);
  void work();
  void carry_out(const Order& order);
  std::optional<Error> failure() const;

  std::shared_ptr<Device> device_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  bool busy_ = false;
  bool ending_ = false;
  std::optional<Error> death_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace outcrop::gpu::sim
