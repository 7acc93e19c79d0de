// Fitting the published model to measured times.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/cost/bounded_fit.hpp"
#include "model/cost/speedup.hpp"

namespace outcrop::model {

/// One scene whose times were measured; one of the two may be missing.
struct Observation {
  std::string scene;
  Workload work;
  std::optional<double> host_s;
  std::optional<double> device_s;
};

/// What one unit of misfit is: a share of the time, or a second.
enum class Weighting { relative, equal };

struct FitOptions {
  Weighting weighting = Weighting::relative;
  std::array<std::optional<double>, 6> held;  ///< coefficients not to fit, in the order of coefficient_names
};

/// alpha_s gamma_s | fixed_s beta_s delta_s epsilon_s: two of the host, four of the device.
inline constexpr std::array<const char*, 6> coefficient_names = {"alpha_s", "gamma_s", "fixed_s",
                                                                 "beta_s",  "delta_s", "epsilon_s"};
inline constexpr std::size_t num_host_coefficients = 2;

/// The coefficient of that place, for reading and writing.
double& coefficient(SpeedupCoefficients& c, std::size_t place);
double coefficient(const SpeedupCoefficients& c, std::size_t place);

struct CoefficientEstimate {
  std::string name;
  bool held = false;  ///< given, not fitted
  FittedCoefficient estimate;
};

/// The fit of one of the two formulas.
struct TimeFit {
  std::vector<CoefficientEstimate> coefficients;
  std::vector<std::size_t> observations;  ///< which ones have this time
  std::vector<double> measured_s;         ///< of those
  std::vector<double> fitted_s;           ///< of those
  std::int64_t degrees_of_freedom = 0;

  double rms_relative() const;  ///< of fitted / measured - 1
};

struct SpeedupFit {
  std::optional<TimeFit> host;    ///< nothing when no observation has a host time
  std::optional<TimeFit> device;  ///< nothing when no observation has a device time

  /// The estimates as coefficients; 0 where nothing was fitted or held.
  SpeedupCoefficients coefficients() const;
};

/// Throws Errc::usage naming the scene when sizes or times are not positive numbers, when there is no observation, or
/// when a held coefficient is negative or no number.
SpeedupFit fit_speedup(const std::vector<Observation>& observations, const FitOptions& options);

}  // namespace outcrop::model
