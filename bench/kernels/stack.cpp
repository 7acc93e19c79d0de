// Synthetic stacks in memory for the kernel benchmarks.
#include "bench/kernels/stack.hpp"
#include "model/step_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>

namespace outcrop::bench {
namespace {

constexpr double days_between_dates = 12;

model::Network make_network(const StackShape& shape) {
  model::Network network;
  for (int n = 0; n < shape.num_dates; ++n) {
    network.dates.push_back(fmt::format("date {}", n));
    network.days.push_back(days_between_dates * n);
    for (int m = n + 1; m <= std::min(n + shape.pairs_per_date, shape.num_dates - 1); ++m) {
      network.pairs.push_back({n, m});
    }
  }
  std::mt19937 random(1);
  std::uniform_int_distribution<int> date(0, shape.num_dates - 1);
  for (int left = shape.num_long_pairs; left > 0;) {
    const int a = date(random);
    const int b = date(random);
    if (b - a <= shape.num_dates / 4) continue;
    network.pairs.push_back({a, b});
    --left;
  }
  return network;
}

}  // namespace

std::shared_ptr<const model::InvertNetwork> make_parameters(const StackShape& shape, model::WeightFunction weight) {
  constexpr double wavelength_m = 0.0555;
  constexpr double pi = 3.14159265358979323846;
  auto p = std::make_shared<model::InvertNetwork>();
  p->network = make_network(shape);
  p->reference.assign(p->network.pairs.size(), 0.25F);
  p->weight = weight;
  p->num_looks = 15;
  p->metres_per_unit = -wavelength_m / (4 * pi);
  return p;
}

std::shared_ptr<const SlotLayout> make_layout(const model::Step& step, std::int64_t pixels) {
  auto layout = std::make_shared<SlotLayout>(pixels, 0);
  model::add_planes(*layout, step);
  return layout;
}

void fill_inputs(const model::InvertNetwork& parameters, const StackShape& shape, const Slot& slot) {
  const bool has_coherence = parameters.weight != model::WeightFunction::none;
  std::mt19937 random(2);
  std::uniform_real_distribution<float> unit(0, 1);
  for (std::int64_t k = 0; k < parameters.num_pairs(); ++k) {
    const model::Pair& pair = parameters.network.pairs[static_cast<std::size_t>(k)];
    const float signal = 0.1F * static_cast<float>(pair.second - pair.first);
    const auto phase = slot.plane<float>(slot.layout().index("observation"));
    for (std::int64_t i = 0; i < phase.extent(1); ++i) {
      const bool missing = static_cast<double>(unit(random)) < shape.missing_share;
      phase(k, i) = missing ? std::numeric_limits<float>::quiet_NaN() : signal + 2 * unit(random) - 1;
    }
    if (!has_coherence) continue;
    const auto coherence = slot.plane<float>(slot.layout().index("coherence"));
    for (std::int64_t i = 0; i < coherence.extent(1); ++i) coherence(k, i) = 0.2F + 0.8F * unit(random);
  }
}

}  // namespace outcrop::bench
