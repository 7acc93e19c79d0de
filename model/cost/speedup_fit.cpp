#include "model/cost/speedup_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace outcrop::model {
namespace {

/// What the coefficient of that place is multiplied with.
double factor_of(std::size_t place, const Workload& work) {
  const double pixels = static_cast<double>(work.pixels);
  switch (place) {
    case 0:  // alpha
    case 3:  // beta
      return pixels;
    case 2:  // F
      return 1;
    case 4:  // delta
      return pixels * work.elements_per_pixel();
    default:  // gamma, epsilon
      return pixels * work.flops_per_pixel();
  }
}

void check_time(const std::string& scene, const char* name, const std::optional<double>& seconds) {
  if (seconds && !(std::isfinite(*seconds) && *seconds > 0)) {
    fail(Errc::usage, fmt::format("fitting scene '{}': its {} is {}; it has to be a positive number of seconds", scene,
                                  name, *seconds));
  }
}

void check(const std::vector<Observation>& observations, const FitOptions& options) {
  if (observations.empty()) fail(Errc::usage, "fitting the cost model: there is no scene to fit it to");
  for (const Observation& observation : observations) {
    try {
      check_workload(observation.work);
    } catch (Error& error) {
      throw error.within("fitting scene '" + observation.scene + "'");
    }
    check_time(observation.scene, "time on the host", observation.host_s);
    check_time(observation.scene, "time on the device", observation.device_s);
  }
  for (std::size_t i = 0; i < options.held.size(); ++i) {
    if (options.held[i] && !(std::isfinite(*options.held[i]) && *options.held[i] >= 0)) {
      fail(Errc::usage, fmt::format("fitting the cost model: {} is held at {}; it has to be a number from 0 up",
                                    coefficient_names[i], *options.held[i]));
    }
  }
}

/// The places from `begin` to `end` fitted to times; `times[i]` belongs to observation `which[i]`.
class TimeFitter {
 public:
  TimeFitter(const std::vector<Observation>& observations, const FitOptions& options,
             std::optional<double> Observation::*time)
      : observations_(observations), options_(options) {
    for (std::size_t i = 0; i < observations.size(); ++i) {
      if (const auto seconds = observations[i].*time) {
        fit_.observations.push_back(i);
        fit_.measured_s.push_back(*seconds);
      }
    }
  }

  std::optional<TimeFit> fit(std::size_t begin, std::size_t end) {
    if (fit_.observations.empty()) return std::nullopt;
    problem_.values = fit_.measured_s;
    for (const double seconds : fit_.measured_s) {
      problem_.deviations.push_back(options_.weighting == Weighting::relative ? seconds : 1.0);
    }
    std::vector<double> held_s(fit_.measured_s.size(), 0.0);
    for (std::size_t place = begin; place < end; ++place) add(place, held_s);
    for (std::size_t i = 0; i < held_s.size(); ++i) problem_.values[i] -= held_s[i];
    const BoundedFit bounded = fit_bounded(problem_);
    std::size_t next = 0;
    for (auto& entry : fit_.coefficients) {
      if (!entry.held) entry.estimate = bounded.coefficients[next++];
    }
    fit_.degrees_of_freedom = bounded.degrees_of_freedom;
    for (std::size_t i = 0; i < held_s.size(); ++i) fit_.fitted_s.push_back(bounded.fitted[i] + held_s[i]);
    return std::move(fit_);
  }

 private:
  void add(std::size_t place, std::vector<double>& held_s) {
    CoefficientEstimate entry;
    entry.name = coefficient_names[place];
    const auto held = options_.held[place];
    std::vector<double> column;
    for (const std::size_t i : fit_.observations) column.push_back(factor_of(place, observations_[i].work));
    if (held) {
      entry.held = true;
      entry.estimate.value = *held;
      for (std::size_t i = 0; i < column.size(); ++i) held_s[i] += *held * column[i];
    } else {
      problem_.columns.push_back(std::move(column));
    }
    fit_.coefficients.push_back(std::move(entry));
  }

  const std::vector<Observation>& observations_;
  const FitOptions& options_;
  FitProblem problem_;
  TimeFit fit_;
};

void gather(const std::optional<TimeFit>& fit, std::size_t begin, SpeedupCoefficients& c) {
  if (!fit) return;
  for (std::size_t i = 0; i < fit->coefficients.size(); ++i) {
    coefficient(c, begin + i) = fit->coefficients[i].estimate.value;
  }
}

}  // namespace

double& coefficient(SpeedupCoefficients& c, std::size_t place) {
  double* const places[] = {&c.alpha_s, &c.gamma_s, &c.fixed_s, &c.beta_s, &c.delta_s, &c.epsilon_s};
  return *places[place];
}

double coefficient(const SpeedupCoefficients& c, std::size_t place) {
  SpeedupCoefficients copy = c;
  return coefficient(copy, place);
}

double TimeFit::rms_relative() const {
  double sum = 0;
  for (std::size_t i = 0; i < fitted_s.size(); ++i) {
    const double misfit = fitted_s[i] / measured_s[i] - 1;
    sum += misfit * misfit;
  }
  return std::sqrt(sum / static_cast<double>(fitted_s.size()));
}

SpeedupCoefficients SpeedupFit::coefficients() const {
  SpeedupCoefficients c;
  gather(host, 0, c);
  gather(device, num_host_coefficients, c);
  return c;
}

SpeedupFit fit_speedup(const std::vector<Observation>& observations, const FitOptions& options) {
  check(observations, options);
  SpeedupFit fit;
  fit.host = TimeFitter(observations, options, &Observation::host_s).fit(0, num_host_coefficients);
  fit.device =
      TimeFitter(observations, options, &Observation::device_s).fit(num_host_coefficients, coefficient_names.size());
  if (!fit.host && !fit.device) fail(Errc::usage, "fitting the cost model: no scene has a measured time");
  return fit;
}

}  // namespace outcrop::model
