// The published GPU speedup model: times of a step on host and device as functions of pixels, dates and columns.
//
//   T_host   = K (alpha + gamma D P^2)
//   T_device = F + K (beta + delta D P) + epsilon K D P^2
//   sigma    = T_host / T_device
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace outcrop::model {

/// What is solved: K least-squares problems of D rows and P columns.
struct Workload {
  std::int64_t pixels = 0;   ///< K
  std::int64_t rows = 0;     ///< D: dates, for the DEM error
  std::int64_t columns = 0;  ///< P

  double flops_per_pixel() const;     ///< D P^2, the Gram matrix: the dominant term
  double elements_per_pixel() const;  ///< D P, the design matrix
};

struct SpeedupCoefficients {
  double alpha_s = 0;    ///< host, a pixel: dispatch
  double gamma_s = 0;    ///< host, a flop
  double fixed_s = 0;    ///< F, device: start-up, headers, masks
  double beta_s = 0;     ///< device, a pixel: bookkeeping on the host
  double delta_s = 0;    ///< device, an element of the design matrix: memory traffic
  double epsilon_s = 0;  ///< device, a flop
};

/// Throws Errc::usage unless all three are at least 1.
void check_workload(const Workload& work);

/// Throws Errc::usage naming the coefficient that is negative or no number, or when host or device would take no time.
void check_coefficients(const SpeedupCoefficients& c);

double host_time_s(const SpeedupCoefficients& c, const Workload& work);
double device_time_s(const SpeedupCoefficients& c, const Workload& work);
double sigma(const SpeedupCoefficients& c, const Workload& work);

/// (alpha + gamma D P^2) / (beta + delta D P): sigma without the fixed cost and, as published, without epsilon.
/// Infinite when beta and delta are 0.
double sigma_infinity(const SpeedupCoefficients& c, const Workload& work);

/// gamma P / delta: sigma_infinity as D grows without end. Infinite when delta is 0.
double asymptote(const SpeedupCoefficients& c, std::int64_t columns);

/// F / alpha: the pixels at which dispatch on the host takes as long as the device's fixed cost. Infinite when alpha
/// is 0.
double crossover_pixels(const SpeedupCoefficients& c);

/// The pixels at which sigma is 1; nothing when the device takes longer at any number of pixels. `work.pixels` is not
/// used.
std::optional<double> break_even_pixels(const SpeedupCoefficients& c, const Workload& work);

/// Which terms decide. The published conditions leave a gap: a host bound by its flops while the device is bound by
/// its fixed cost is none of the three.
enum class Regime { none, overhead_bound, transition, compute_bound };

/// The sides of the conditions, in seconds.
struct RegimeTerms {
  double dispatch_s = 0;      ///< K alpha
  double host_compute_s = 0;  ///< K gamma D P^2
  double fixed_s = 0;         ///< F
  double traffic_s = 0;       ///< K delta D P
};

/// What ">>" means unless said otherwise. The published labels A hold with the published coefficients up to 1.57.
inline constexpr double much_greater = 1.5;

/// Throws Errc::usage unless it is a number of at least 1.
void check_factor(double factor);

RegimeTerms regime_terms(const SpeedupCoefficients& c, const Workload& work);

/// x >> y is x >= factor y.  A, overhead-bound: K alpha >> K gamma D P^2 and F >> K delta D P.  C, compute-bound:
/// K gamma D P^2 >> K alpha and K delta D P >> F.  B, transition: not C, and not F >> K delta D P.
/// Throws Errc::usage as check_factor().
Regime regime_of(const SpeedupCoefficients& c, const Workload& work, double factor = much_greater);

/// "A", "B", "C", or "-".
std::string regime_letter(Regime regime);

}  // namespace outcrop::model
