// Microseconds a pixel of every benchmark, and the ratios that have a bar.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace outcrop::bench {

/// The counter that every kernel benchmark sets.
inline constexpr const char* us_per_pixel = "us/px";

/// Prints as the console does and keeps the medians.
class MedianReporter final : public benchmark::ConsoleReporter {
 public:
  MedianReporter() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override;

  /// Benchmark name to microseconds a pixel.
  const std::map<std::string, double>& medians() const { return medians_; }

 private:
  std::map<std::string, double> medians_;
};

/// `numerator` / `denominator` against a bar.
struct Ratio {
  std::string title;
  std::string numerator;
  std::string denominator;
  double bar = 0;
  bool at_least = true;  ///< the ratio should be at least the bar, or at most
};

/// Prints each ratio whose parts were measured, with its parts.
void print_ratios(const std::map<std::string, double>& medians, const std::vector<Ratio>& ratios);

}  // namespace outcrop::bench
