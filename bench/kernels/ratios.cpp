// Microseconds a pixel of every benchmark, and the ratios that have a bar.
#include "bench/kernels/ratios.hpp"

#include <fmt/format.h>

namespace outcrop::bench {

void MedianReporter::ReportRuns(const std::vector<Run>& runs) {
  ConsoleReporter::ReportRuns(runs);
  for (const Run& run : runs) {
    const auto counter = run.counters.find(us_per_pixel);
    if (run.aggregate_name == "median" && counter != run.counters.end()) {
      medians_[run.run_name.function_name] = counter->second.value;
    }
  }
}

void print_ratios(const std::map<std::string, double>& medians, const std::vector<Ratio>& ratios) {
  fmt::print("\nratios of medians (processor time of one thread, us a pixel)\n");
  for (const Ratio& ratio : ratios) {
    const auto above = medians.find(ratio.numerator);
    const auto below = medians.find(ratio.denominator);
    if (above == medians.end() || below == medians.end()) continue;
    const double value = above->second / below->second;
    const bool met = ratio.at_least ? value >= ratio.bar : value <= ratio.bar;
    fmt::print("  {}: {:.4g} / {:.4g} = {:.4g} (bar: {} {:g}) {}\n", ratio.title, above->second, below->second, value,
               ratio.at_least ? ">=" : "<=", ratio.bar, met ? "met" : "MISSED");
  }
}

}  // namespace outcrop::bench
