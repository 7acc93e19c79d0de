// `outcrop model predict` and `regime`: what the formula gives for sizes on the command line.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "model/cost/speedup.hpp"
#include "pipeline/speedup_file.hpp"

namespace outcrop::tools {

/// All combinations of these are predicted.
struct Sizes {
  std::vector<std::string> pixels;   ///< K, as parse_count() takes them
  std::vector<std::string> dates;    ///< D
  std::vector<std::string> columns;  ///< P
};

/// Throws Errc::usage naming the flag and the number that is none, or when there are more than 100,000 combinations.
std::vector<model::Workload> workloads_of(const Sizes& sizes);

struct PredictOptions {
  std::vector<model::Workload> workloads;
  std::optional<std::string> storage;
  double factor = model::much_greater;
  bool json = false;
};

void predict(const pipeline::SpeedupModel& speedup, const PredictOptions& options, std::ostream& out);

/// The terms that the conditions compare, and what follows from them.
void explain_regimes(const pipeline::SpeedupModel& speedup, const PredictOptions& options, std::ostream& out);

}  // namespace outcrop::tools
