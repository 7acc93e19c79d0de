// The DEM-error kernel of each instruction set on one thread, with baselines of the pixel and all three outputs;
// sgelsd_ on the same pixels; and a copy of as many bytes as the kernel reads and writes.
#include "bench/kernels/correct_topography.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

#include "bench/kernels/kernel_run.hpp"
#include "bench/kernels/least_squares.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::bench {
namespace {

constexpr int num_dates = 98;
constexpr std::int64_t num_pixels = 200000;  // 4 planes of 78 MB: far more than a core's caches
constexpr std::size_t num_unknowns = 4;

std::shared_ptr<const model::CorrectTopography> make_parameters() {
  auto p = std::make_shared<model::CorrectTopography>();
  for (int n = 0; n < num_dates; ++n) {
    p->dates.push_back(fmt::format("{}{:02}{:02}", 2015 + n / 24, 1 + n / 2 % 12, 1 + n % 2 * 14));
  }
  p->excluded.assign(num_dates, false);
  p->columns = model::design_columns(p->dates, 0, {.polynomial_order = 2, .periods_yr = {}, .steps = {}});
  p->incidence_deg = 34;
  p->slant_range = model::RangeLine{.first_m = 846000, .per_column_m = 2.3};
  return p;
}

/// Displacements [m] that drift and scatter, baselines [m] of +-150 that vary a little over the scene.
void fill_inputs(const Slot& slot) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> unit(-1, 1);
  const auto series = slot.plane<float>(slot.layout().index("timeseries"));
  const auto bperp = slot.plane<float>(slot.layout().index("bperp"));
  for (std::int64_t n = 0; n < num_dates; ++n) {
    const float baseline_m = 150 * unit(random);
    for (std::int64_t i = 0; i < num_pixels; ++i) {
      series(n, i) = n == 0 ? 0 : 0.001F * static_cast<float>(n) + 0.01F * unit(random);
      bperp(n, i) = baseline_m * (1 + 1e-6F * static_cast<float>(i));
    }
  }
}

void run_kernel(benchmark::State& state, const std::string& instruction_set) {
  KernelRun run(model::make_correct_topography(make_parameters()), num_pixels, instruction_set);
  fill_inputs(run.slot());
  run();  // touches every page
  for ([[maybe_unused]] auto _ : state) run();
  state.counters[us_per_pixel] = us_a_pixel(num_pixels);
}

void run_baseline(benchmark::State& state) {
  const auto parameters = make_parameters();
  KernelRun run(model::make_correct_topography(parameters), num_pixels, "baseline");
  fill_inputs(run.slot());
  const auto series = run.slot().plane<float>(run.slot().layout().index("timeseries"));
  const auto bperp = run.slot().plane<float>(run.slot().layout().index("bperp"));
  const double lever_m = 846000 * std::sin(34 * 3.14159265358979323846 / 180);
  DenseProblem problem(num_dates, num_unknowns);
  std::int64_t pixel = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t n = 0; n < num_dates; ++n) {
      const auto date = static_cast<std::int64_t>(n);
      problem.matrix()[n] = static_cast<float>(static_cast<double>(bperp(date, pixel) - bperp(0, pixel)) / lever_m);
      for (std::size_t j = 1; j < num_unknowns; ++j) {
        problem.matrix()[j * num_dates + n] = static_cast<float>(parameters->columns[j - 1].value[n]);
      }
      problem.right()[n] = series(date, pixel);
    }
    state.SetIterationTime(problem.solve(num_dates));
    pixel = (pixel + 1) % num_pixels;
  }
  state.counters[us_per_pixel] = us_a_pixel(1);
}

void run_copy(benchmark::State& state) {
  KernelRun run(model::make_correct_topography(make_parameters()), num_pixels, "baseline");
  fill_inputs(run.slot());
  const auto copy = [&](const char* from, const char* to) {
    const auto source = run.slot().plane<float>(run.slot().layout().index(from));
    const auto target = run.slot().plane<float>(run.slot().layout().index(to));
    for (std::int64_t n = 0; n < num_dates; ++n) {
      std::memcpy(&target(n, 0), &source(n, 0), static_cast<std::size_t>(num_pixels) * sizeof(float));
    }
  };
  run();  // touches every page
  for ([[maybe_unused]] auto _ : state) {
    copy("timeseries", "corrected");
    copy("bperp", "residual");
    benchmark::ClobberMemory();
  }
  state.counters[us_per_pixel] = us_a_pixel(num_pixels);
}

}  // namespace

std::vector<Ratio> register_correct_topography() {
  const std::string baseline = "sgelsd/D98_P4";
  const std::string copy = "copy/D98_in_and_out";
  add_benchmark(baseline, true, run_baseline);
  add_benchmark(copy, false, run_copy);
  std::vector<Ratio> ratios;
  for (const std::string& set : instruction_sets()) {
    const std::string name = fmt::format("correct_topography/D98_P4/{}", set);
    add_benchmark(name, false, [=](benchmark::State& state) { run_kernel(state, set); });
    ratios.push_back({"sgelsd / DEM kernel, " + set, baseline, name, 25, true});
    ratios.push_back({"DEM kernel / copy of its bytes, " + set, name, copy, 3, false});
  }
  return ratios;
}

}  // namespace outcrop::bench
