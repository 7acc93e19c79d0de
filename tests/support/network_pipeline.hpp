// A whole run of invert-network over a scene in memory.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/steps/chain.hpp"
#include "model/steps/invert_network.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/step_pipeline.hpp"

namespace outcrop::test {

/// Twelve dates of which some pixels have lost all but a few pairs: up to eleven islands.
inline model::InvertNetwork pipeline_network() {
  Random random(3);
  model::InvertNetwork p;
  p.network = make_test_network(random, NetworkShape::sequential, 12);
  p.reference.assign(p.network.pairs.size(), 0.5F);
  p.num_looks = 10;
  p.min_redundancy = 0;
  p.metres_per_unit = -0.0044;
  return p;
}

/// Observations are noise, with more holes from left to right.
inline std::map<std::string, std::vector<float>> network_planes(const model::InvertNetwork& p) {
  Random random(4);
  std::vector<float> samples;
  for (std::int64_t i = 0; i < p.num_pairs() * pipeline_pixels; ++i) {
    const bool hole = random_int(random, 0, static_cast<int>(pipeline_cols) + 3) < i % pipeline_cols;
    samples.push_back(hole ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random_real(random, -3, 3)));
  }
  std::vector<float> coherence(samples.size(), 0.7F);
  return {{"observation", std::move(samples)}, {"coherence", std::move(coherence)}};
}

struct NetworkPipeline : StepPipeline {
  explicit NetworkPipeline(std::int64_t tile_rows = 5, std::int64_t tile_cols = 24,
                           model::Solver solver = model::Solver::structured)
      : StepPipeline(
            model::solved_by(
                model::make_invert_network(std::make_shared<const model::InvertNetwork>(pipeline_network())), solver),
            network_planes(pipeline_network()), tile_rows, tile_cols) {}
};

}  // namespace outcrop::test
