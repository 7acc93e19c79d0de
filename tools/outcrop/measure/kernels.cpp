#include "tools/outcrop/measure/kernels.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/median.hpp"
#include "core/tile.hpp"
#include "io/memory_source.hpp"
#include "model/steps/chain.hpp"
#include "model/steps/correct_topography.hpp"
#include "model/steps/invert_network.hpp"
#include "tools/outcrop/measure/rates.hpp"
#include "tools/outcrop/measure/tile_line.hpp"
#include "tools/outcrop/simulate/network.hpp"

namespace outcrop::tools {
namespace {

/// Work of one run: long enough for a clock, not for a user.
constexpr double flops_of_run = 4e7;

constexpr std::int64_t tile_rows = 16;

Network network_of(const ProblemShape& shape) {
  NetworkOptions options;
  options.dates = shape.dates;
  options.pairs_per_date = shape.pairs_per_date;
  return make_network(options, 1);
}

std::unique_ptr<io::TileSource> source_of(const model::Step& step, std::int64_t cols) {
  std::mt19937 chance(1);
  std::vector<io::MemoryPlane> planes;
  for (const auto& input : step.inputs) {
    const auto [lowest, highest] = sample_range(input.name);
    std::uniform_real_distribution<float> value(lowest, highest);
    io::MemoryPlane plane;
    plane.name = input.name;
    plane.depth = input.depth;
    plane.values.resize(static_cast<std::size_t>(input.depth * tile_rows * cols));
    for (float& v : plane.values) v = value(chance);
    planes.push_back(std::move(plane));
  }
  return io::make_memory_source(tile_rows, cols, std::move(planes));
}

/// The median of several runs on one tile.
KernelTrial try_kernel(const model::Step& step, const ParallelFor& parallel, const std::atomic<int>* stop) {
  constexpr int runs = 5;
  constexpr double enough_s = 0.5;
  const std::int64_t wanted =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(flops_of_run / step.flops()), 512, 8192);
  const std::int64_t cols = wanted / tile_rows;
  const auto source = source_of(step, cols);
  const TileGrid grid(tile_rows, cols, tile_rows, cols);
  TileLine line(step, *source, grid, parallel);
  line.run(grid.rect(0));
  std::vector<double> seconds;
  double spent_s = 0;
  while (static_cast<int>(seconds.size()) < runs && spent_s < enough_s) {
    check_stop(stop);
    seconds.push_back(line.solve());
    spent_s += seconds.back();
  }
  return {step.flops(), median(std::move(seconds)) / static_cast<double>(tile_rows * cols)};
}

}  // namespace

model::Step sample_inversion(const ProblemShape& shape) {
  const Network network = network_of(shape);
  std::vector<std::array<std::string, 2>> pairs;
  for (const DatePair& pair : network.pairs) {
    pairs.push_back(
        {network.dates[static_cast<std::size_t>(pair.first)], network.dates[static_cast<std::size_t>(pair.second)]});
  }
  auto p = std::make_shared<model::InvertNetwork>();
  p->network = model::make_network(pairs);
  p->reference.assign(pairs.size(), 0.0F);
  p->num_looks = 15;
  return model::make_invert_network(p);
}

namespace {

model::Step correction_of(const ProblemShape& shape, const model::DesignTerms& terms) {
  auto p = std::make_shared<model::CorrectTopography>();
  p->dates = network_of(shape).dates;
  p->excluded.assign(p->dates.size(), false);
  p->columns = model::design_columns(p->dates, 0, terms);
  return model::make_correct_topography(p);
}

}  // namespace

model::Step sample_correction(const ProblemShape& shape) { return correction_of(shape, {}); }

model::Step wide_correction(const ProblemShape& shape) { return correction_of(shape, many_columns); }

std::pair<float, float> sample_range(const std::string& plane) {
  if (plane == "coherence") return {0.3F, 0.95F};
  if (plane == "timeseries") return {-0.1F, 0.1F};
  if (plane == "bperp") return {-150, 150};
  if (plane == "incidence") return {33, 35};
  if (plane == "slant_range") return {8.3e5F, 8.6e5F};
  return {-8, 8};
}

pipeline::KernelRate kernel_rate(const model::Step& step, const KernelTrial& small, const KernelTrial& large) {
  pipeline::KernelRate rate{step.name, step.solver, 0, large.flops / large.pixel_s};
  const double flop_s = (large.pixel_s - small.pixel_s) / (large.flops - small.flops);
  if (!(flop_s > 0)) return rate;
  const double pixel_s = large.pixel_s - flop_s * large.flops;
  if (!(pixel_s > 0)) return rate;
  rate.pixel_s = pixel_s;
  rate.flops_per_s = 1 / flop_s;
  return rate;
}

pipeline::KernelRate kernel_rate(const model::Step& step, const KernelTrial& small, const KernelTrial& large,
                                 const KernelTrial& wide) {
  const double flop_s = (wide.pixel_s - large.pixel_s) / (wide.flops - large.flops);
  const double sample_s = (large.pixel_s - flop_s * large.flops) / large.samples;
  if (!(flop_s > 0) || !(sample_s > 0)) return kernel_rate(step, small, large);
  pipeline::KernelRate rate{step.name, step.solver, 0, 1 / flop_s};
  rate.sample_s = sample_s;
  return rate;
}

namespace {

std::vector<pipeline::KernelRate> try_kernels(model::Solver solver, const ParallelFor& parallel, bool quick,
                                              const std::atomic<int>* stop) {
  const ProblemShape large = quick ? more_dates : many_dates;
  std::vector<pipeline::KernelRate> rates;
  for (const auto make : {sample_inversion, sample_correction}) {
    const model::Step first = model::solved_by(make(few_dates), solver);
    const model::Step second = model::solved_by(make(large), solver);
    rates.push_back(kernel_rate(first, try_kernel(first, parallel, stop), try_kernel(second, parallel, stop)));
  }
  return rates;
}

}  // namespace

std::vector<pipeline::KernelRate> measure_batched_kernels(const std::vector<pipeline::KernelRate>& in_runs,
                                                          const ParallelFor& parallel, bool quick,
                                                          const std::atomic<int>* stop) {
  OUTCROP_EXPECT(in_runs.size() == 2, "the structured kernels of both steps are measured before the batched ones");
  const auto alone = try_kernels(model::Solver::structured, parallel, quick, stop);
  auto rates = try_kernels(model::Solver::batched, parallel, quick, stop);
  const model::Step steps[] = {sample_inversion(many_dates), sample_correction(many_dates)};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double slower = std::max(1.0, in_runs[i].seconds(steps[i]) / alone[i].seconds(steps[i]));
    rates[i].pixel_s *= slower;
    rates[i].flops_per_s /= slower;
  }
  return rates;
}

}  // namespace outcrop::tools
