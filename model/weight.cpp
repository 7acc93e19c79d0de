// Coherence to weight. Compiled without fused multiply-add: see model/CMakeLists.txt.
#include "model/weight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "model/pixel/weight.hpp"

namespace outcrop::model {
namespace {

constexpr int most_looks = 80;  ///< above, the factorials of the density leave the range of double
constexpr int num_phases = 200;

/// What the phase's probability density has that depends on the number of looks n alone.
struct DensityFactors {
  double n = 1;
  double gamma = 1;  ///< Gamma(2n - 1) / (Gamma(n)^2 2^(2(n - 1)))
  std::vector<double>
      sum;  ///< [n - 1] Gamma(n - 1/2) / Gamma(n - 1/2 - r) * Gamma(n - 1 - r) / Gamma(n - 1) / (2(n - 1))
};

DensityFactors density_factors(int num_looks) {
  DensityFactors f;
  f.n = num_looks;
  f.gamma = std::tgamma(2 * f.n - 1) / (std::tgamma(f.n) * std::tgamma(f.n) * std::pow(2.0, 2 * (f.n - 1)));
  for (int r = 0; r <= num_looks - 2; ++r) {
    f.sum.push_back(std::tgamma(f.n - 0.5) / std::tgamma(f.n - 0.5 - r) *
                    (std::tgamma(f.n - 1 - r) / std::tgamma(f.n - 1)) / (2 * (f.n - 1)));
  }
  return f;
}

/// Probability density of the interferometric phase [rad], true phase 0.
double phase_density(const DensityFactors& f, double coherence, double phase) {
  const double beta = coherence * std::cos(phase);
  const double u = 1 - beta * beta;
  const double closed =
      (2 * f.n - 1) * beta / std::pow(u, f.n + 0.5) * (std::numbers::pi / 2 + std::asin(beta)) + 1 / std::pow(u, f.n);
  double sum = 0;
  double power = u * u;
  double odd = 1;
  for (const double factor : f.sum) {
    sum += factor * (1 + odd * beta * beta) / power;
    power *= u;
    odd += 2;
  }
  return std::pow(1 - coherence * coherence, f.n) / (2 * std::numbers::pi) * (f.gamma * closed + sum);
}

double variance_of(const DensityFactors& factors, double coherence) {
  double variance = 0;
  for (int q = 0; q < num_phases; ++q) {
    const double phase = -std::numbers::pi + q * (2 * std::numbers::pi / (num_phases - 1));
    variance += phase * phase * phase_density(factors, coherence, phase);
  }
  return variance * (2 * std::numbers::pi / num_phases);
}

}  // namespace

std::array<double, num_coherence_bins> phase_variance(int num_looks) {
  const DensityFactors factors = density_factors(std::clamp(num_looks, 1, most_looks));
  std::array<double, num_coherence_bins> variance{};
  for (int j = 0; j < num_coherence_bins; ++j) {
    const double coherence = 0.005 + j * (0.995 / (num_coherence_bins - 1)) - 0.0025;
    variance[static_cast<std::size_t>(j)] = variance_of(factors, coherence);
  }
  return variance;
}

Weights::Weights(WeightFunction function, int num_looks) : function_(function), num_looks_(std::max(num_looks, 1)) {
  if (function != WeightFunction::variance) return;
  const auto variance = phase_variance(num_looks_);
  std::transform(variance.begin(), variance.end(), table_.begin(), [](double v) { return pixel::float_root(1 / v); });
}

double Weights::operator()(float value) const {
  const pixel::WeightView view{function_, table_.data(), static_cast<double>(num_looks_)};
  const double root = static_cast<double>(pixel::root_weight<double>(view, value));
  return root * root;
}

}  // namespace outcrop::model
