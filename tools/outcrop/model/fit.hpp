// `outcrop model fit`: coefficients from measured scenes and run reports, with what the data do not determine.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "model/cost/speedup_fit.hpp"

namespace outcrop::tools {

struct FitRequest {
  std::optional<std::string> machine;  ///< its scenes; without one and without reports, the published scenes
  std::vector<std::string> reports;
  std::vector<std::string> held;  ///< "beta_s=0"
  model::Weighting weighting = model::Weighting::relative;
  std::optional<std::string> output;  ///< machine file to write
  bool json = false;
};

/// Throws Errc::usage for what the fit cannot use, Errc::io when the output cannot be written.
void fit_model(const FitRequest& request, std::ostream& out);

}  // namespace outcrop::tools
