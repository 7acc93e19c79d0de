// Rates of a device.
#include "tools/outcrop/measure/device.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/slot.hpp"
#include "model/step_layout.hpp"
#include "model/steps/chain.hpp"
#include "tools/outcrop/measure/kernels.hpp"
#include "tools/outcrop/measure/rates.hpp"

namespace outcrop::tools {
namespace {

/// Tiles in flight: copied in, solved and copied out at the same time, as in a run.
constexpr int num_slots = 3;

constexpr std::int64_t most_slot_bytes = std::int64_t{48} << 20;

/// Long enough for a clock.
constexpr double enough_s = 0.03;

constexpr std::int64_t fewest_pixels = 64;

void fill(Slot& slot, const model::Step& step) {
  std::mt19937 chance(1);
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const auto [lowest, highest] = sample_range(step.inputs[i].name);
    std::uniform_real_distribution<float> value(lowest, highest);
    const auto plane = slot.plane<float>(static_cast<int>(i));
    for (std::int64_t layer = 0; layer < step.inputs[i].depth; ++layer) {
      for (std::int64_t pixel = 0; pixel < slot.rect.pixels(); ++pixel) plane(layer, pixel) = value(chance);
    }
  }
}

/// Solves all slots at once. Throws what went wrong with one.
void solve(Backend& backend, TileProgram& program, std::vector<Slot>& slots) {
  std::vector<std::optional<Error>> errors(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots[i].spans.clear();
    backend.submit(program, slots[i], [&, i](std::optional<Error> error) { errors[i] = std::move(error); });
  }
  backend.drain();
  for (const auto& error : errors) {
    if (error) throw Error(*error);
  }
}

void add(DeviceTrial& trial, const Span& span) {
  const double seconds = span.end_s - span.start_s;
  const double bytes = static_cast<double>(span.bytes);
  if (span.stage == "copy_in") {
    trial.copy_in_s += seconds;
    trial.copied_in_bytes += bytes;
  } else if (span.stage == "copy_out") {
    trial.copy_out_s += seconds;
    trial.copied_out_bytes += bytes;
  } else if (span.stage == "solve") {
    trial.solve_s += seconds;
  } else if (span.stage == "assemble") {
    trial.assemble_s += seconds;
    trial.assembled_bytes += bytes;
  }
}

std::int64_t most_pixels(const model::Step& step) {
  SlotLayout layout(fewest_pixels, 0);
  model::add_planes(layout, step);
  return std::max(fewest_pixels, most_slot_bytes / layout.total_bytes() * fewest_pixels);
}

/// Tiles as large as they have to be for the clock.
DeviceTrial try_enough(Backend& backend, const model::Step& step, const std::atomic<int>* stop) {
  const std::int64_t most = most_pixels(step);
  for (std::int64_t pixels = fewest_pixels;; pixels = std::min(4 * pixels, most)) {
    check_stop(stop);
    const DeviceTrial trial = try_device(backend, step, pixels);
    if (trial.solve_s >= enough_s || pixels >= most) return trial;
  }
}

/// Seconds a pixel without the launches, which are counted for themselves. A tenth is the pixel's in any case.
KernelTrial without_launches(const model::Step& step, const DeviceTrial& trial, double launch_s) {
  const double launches_s = std::min(launch_s * static_cast<double>(trial.launches), 0.9 * trial.solve_s);
  return {step.flops(), (trial.solve_s - launches_s) / static_cast<double>(trial.pixels)};
}

class DeviceMeter {
 public:
  DeviceMeter(const MakeBackend& make_backend, bool quick, const std::atomic<int>* stop)
      : make_backend_(make_backend), quick_(quick), stop_(stop) {}

  pipeline::DeviceRates run() {
    const auto backend = make_backend_(false);
    rates_.name = backend->name();
    measure_launch(*backend);
    for (const auto make : {sample_inversion, sample_correction}) {
      add_kernel(*backend, make, model::Solver::structured, false);
      add_kernel(*backend, make, model::Solver::batched, false);
    }
    const auto assembled = make_backend_(true);
    for (const auto make : {sample_inversion, sample_correction}) {
      add_kernel(*assembled, make, model::Solver::batched, true);
    }
    return rates_;
  }

 private:
  /// Of tiles so small that little else takes time; the shortest of several.
  void measure_launch(Backend& backend) {
    const model::Step step = sample_inversion(few_dates);
    for (int i = 0; i < 5; ++i) {
      check_stop(stop_);
      const DeviceTrial trial = try_device(backend, step, 1);
      const double launch_s = trial.solve_s / static_cast<double>(trial.launches);
      rates_.launch_s = i == 0 ? launch_s : std::min(rates_.launch_s, launch_s);
    }
  }

  void add_kernel(Backend& backend, model::Step (*make)(const ProblemShape&), model::Solver solver,
                  bool host_assembles) {
    const bool fewer = quick_ || (solver == model::Solver::batched && backend.limits().device_is_host);
    const model::Step small = model::solved_by(make(few_dates), solver);
    const model::Step large = model::solved_by(make(fewer ? more_dates : many_dates), solver);
    const DeviceTrial first = try_enough(backend, small, stop_);
    const DeviceTrial second = try_enough(backend, large, stop_);
    pipeline::KernelRate rate = kernel_rate(small, without_launches(small, first, rates_.launch_s),
                                            without_launches(large, second, rates_.launch_s));
    rate.host_assembles = host_assembles;
    rates_.kernels.push_back(rate);
    for (const DeviceTrial& trial : {first, second}) note_copies(trial, host_assembles);
  }

  /// The fastest counts: small copies are all start. Copies of design matrices lie between the kernels.
  void note_copies(const DeviceTrial& trial, bool host_assembles) {
    const auto keep = [](double& rate, double bytes, double seconds) {
      if (seconds > 0) rate = std::max(rate, bytes / seconds);
    };
    if (!host_assembles) keep(rates_.copy_in_bytes_per_s, trial.copied_in_bytes, trial.copy_in_s);
    keep(rates_.copy_out_bytes_per_s, trial.copied_out_bytes, trial.copy_out_s);
    keep(rates_.assemble_bytes_per_s, trial.assembled_bytes, trial.assemble_s);
  }

  const MakeBackend& make_backend_;
  bool quick_;
  const std::atomic<int>* stop_;
  pipeline::DeviceRates rates_;
};

}  // namespace

DeviceTrial try_device(Backend& backend, const model::Step& step, std::int64_t tile_pixels) {
  auto layout = std::make_shared<SlotLayout>(tile_pixels, 0);
  model::add_planes(*layout, step);
  std::vector<Slot> slots;
  for (int i = 0; i < num_slots; ++i) {
    slots.push_back(backend.allocate(layout));
    slots.back().rect = {0, i * tile_pixels, 1, tile_pixels};
    slots.back().tile = i;
    fill(slots.back(), step);
  }
  const auto program = backend.compile(step, *layout);
  solve(backend, *program, slots);
  solve(backend, *program, slots);
  DeviceTrial trial;
  trial.pixels = num_slots * tile_pixels;
  trial.launches = num_slots * backend.program_on_device(step).launches_of(tile_pixels);
  for (const Slot& slot : slots) {
    for (const Span& span : slot.spans) add(trial, span);
  }
  return trial;
}

pipeline::DeviceRates measure_device(const MakeBackend& make_backend, bool quick, const std::atomic<int>* stop) {
  return DeviceMeter(make_backend, quick, stop).run();
}

}  // namespace outcrop::tools
