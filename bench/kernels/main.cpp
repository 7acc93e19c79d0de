// Kernel benchmarks: times on one thread, with the ratios that have a bar. Flags: those of google-benchmark.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/kernels/correct_topography.hpp"
#include "bench/kernels/invert_network.hpp"
#include "bench/kernels/least_squares.hpp"

int main(int argc, char** argv) {
  outcrop::bench::choose_least_squares_kernels(argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  fmt::print("sgelsd_ is that of {}, one thread\n", outcrop::bench::prepare_least_squares());
  auto ratios = outcrop::bench::register_invert_network();
  const auto of_topography = outcrop::bench::register_correct_topography();
  ratios.insert(ratios.end(), of_topography.begin(), of_topography.end());
  outcrop::bench::MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  outcrop::bench::print_ratios(reporter.medians(), ratios);
  benchmark::Shutdown();
  return 0;
}
