// Queues of a device: who gets which, and what they keep when memory is short.
#include "gpu/queue_pool.hpp"

#include <doctest/doctest.h>

#include "gpu/device.hpp"

using namespace outcrop;
using namespace outcrop::gpu;

namespace {

constexpr std::int64_t thread_bytes = 256;

/// Wants so many bytes of working memory for each thread, and nothing else.
class ToyProgram final : public Program {
 public:
  ToyProgram() : Program(step(), layout()) {}
  std::int64_t workspace_bytes(std::int64_t threads) const override { return threads * thread_bytes; }
  void upload(const std::shared_ptr<Runtime>& /*runtime*/, Stream& /*stream*/) override {}
  void launch(Slot& /*slot*/, DeviceSlot& /*device*/, std::byte* /*workspace*/, Stream& /*stream*/) override {}

 private:
  static model::Step step() {
    model::Step step;
    step.name = "toy";
    return step;
  }
  static SlotLayout layout() {
    SlotLayout layout(1, 0);
    layout.add("status", 1, DType::u8);
    return layout;
  }
};

std::shared_ptr<Runtime> device(std::int64_t memory_bytes) {
  sim::Options options;
  options.memory_bytes = memory_bytes;
  return open_device("sim", options);
}

}  // namespace

TEST_CASE("each slot has a queue of its own as long as there may be more, then they take turns") {
  QueuePool pool(device(1 << 20), 2);
  const auto first = pool.next();
  const auto second = pool.next();
  CHECK(first != second);
  CHECK(first->number() != second->number());
  const auto third = pool.next();
  const auto fourth = pool.next();
  CHECK(third != fourth);
  CHECK((third == first || third == second));
}

TEST_CASE("a queue whose slot is gone serves the next one") {
  QueuePool pool(device(1 << 20), 3);
  const auto first = pool.next();
  auto second = pool.next();
  const Queue* const gone = second.get();
  second.reset();
  CHECK(pool.next().get() == gone);
}

TEST_CASE("working memory is halved until all queues have it; what they had for more is given back") {
  ToyProgram program;
  QueuePool pool(device(100 * thread_bytes), 4);
  const auto first = pool.next();
  const auto second = pool.next();
  std::string reason;
  CHECK(pool.prepare(program, 80, 1, reason) == 40);
  CHECK(program.threads() == 40);
  CHECK(reason.find("bytes") != std::string::npos);
  CHECK(first->workspace() != nullptr);
  CHECK(second->workspace() != nullptr);
}

TEST_CASE("when there is no memory for the fewest threads, queues keep what an earlier program has") {
  ToyProgram earlier;
  ToyProgram later;
  QueuePool pool(device(100 * thread_bytes), 4);
  const auto first = pool.next();
  const auto second = pool.next();
  std::string reason;
  CHECK(pool.prepare(earlier, 10, 1, reason) == 10);
  CHECK_THROWS_AS(pool.prepare(later, 400, 100, reason), Error);
  CHECK(first->workspace() != nullptr);
  CHECK(second->workspace() != nullptr);
}
