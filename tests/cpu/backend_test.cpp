// The host backend as the pipeline sees it.
#include "cpu/backend.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "cpu/isa.hpp"
#include "cpu/topography_planes.hpp"
#include "tests/support/network_run.hpp"

using namespace outcrop;

namespace {

std::shared_ptr<const model::InvertNetwork> two_dates() {
  auto p = std::make_shared<model::InvertNetwork>();
  p->network = model::make_network({{"20200101", "20200113"}});
  p->reference = {0};
  p->weight = model::WeightFunction::none;
  return p;
}

/// Fails instead of running anything.
class FailingFor final : public ParallelFor {
 public:
  int concurrency() const override { return 1; }
  void run(std::int64_t, const std::function<void(std::int64_t, int)>&) const override {
    fail(Errc::cancelled, "stopped by the test");
  }
};

/// Sets the environment variable for the life of the object.
class IsaVariable {
 public:
  explicit IsaVariable(const char* value) { setenv("OUTCROP_ISA", value, 1); }
  ~IsaVariable() { unsetenv("OUTCROP_ISA"); }
};

}  // namespace

TEST_CASE("an exception inside a program reaches its completion once, as an error") {
  const FailingFor parallel;
  const auto backend = cpu::make_cpu_backend(parallel);
  const model::Step step = model::make_invert_network(two_dates());
  const auto layout = test::layout_of(step, 10);
  Slot slot = backend->allocate(layout);
  slot.rect = {0, 0, 1, 10};
  const auto program = backend->compile(step, *layout);
  int num_done = 0;
  backend->submit(*program, slot, [&](std::optional<Error> error) {
    ++num_done;
    REQUIRE(error);
    CHECK(error->code() == Errc::cancelled);
  });
  CHECK(num_done == 1);
}

TEST_CASE("a step without a host program is refused by name") {
  const SerialFor serial;
  const auto backend = cpu::make_cpu_backend(serial);
  model::Step step = model::make_invert_network(two_dates());
  step.name = "levitate";
  const auto layout = test::layout_of(step, 10);
  CHECK_THROWS_WITH_AS(backend->compile(step, *layout), "the host backend has no program for the step 'levitate'",
                       Error);
  CHECK_THROWS_AS(backend->program_bytes(step), Error);
}

TEST_CASE("slots of the host backend are aligned and of the size asked for") {
  const SerialFor serial;
  const auto backend = cpu::make_cpu_backend(serial);
  const model::Step step = model::make_invert_network(two_dates());
  Slot slot = backend->allocate(test::layout_of(step, 100));
  slot.rect = {0, 0, 10, 10};
  CHECK(reinterpret_cast<std::uintptr_t>(slot.plane<float>(0).data_handle()) % 64 == 0);
  CHECK_FALSE(backend->limits().is_device);
  CHECK(pixel_padding % backend->limits().batch_pixels == 0);
  CHECK(backend->program_bytes(step) > 0);
  CHECK(backend->name() == "cpu");
}

TEST_CASE("a series that is to be streamed into memory that is not aligned is refused before a store faults") {
  auto layout = std::make_shared<SlotLayout>(100, 0);
  cpu::TopographyPlaneIndices at;
  at.corrected = layout->add("corrected", 2, DType::f32);
  SlotMemory aligned = allocate_host(layout->total_bytes() + 4);
  Slot slot(layout, SlotMemory(aligned.get() + 4, [](std::byte*) {}));
  slot.rect = {0, 0, 10, 10};
  try {
    cpu::planes_of(slot, at);
    FAIL("the planes were taken");
  } catch (const Error& error) {
    CHECK(error.code() == Errc::internal);
  }
  Slot well(layout, std::move(aligned));
  well.rect = slot.rect;
  CHECK(cpu::planes_of(well, at).corrected != nullptr);
}

TEST_CASE("the instruction set can be chosen by name, and a wrong name is refused") {
  CHECK(cpu::kernels_named("baseline").target == std::string("x86-64"));
  {
    const IsaVariable variable("baseline");
    CHECK(&cpu::choose_kernels() == &cpu::kernels_named("baseline"));
  }
  const IsaVariable variable("mmx");
  CHECK_THROWS_AS(cpu::choose_kernels(), Error);
}
