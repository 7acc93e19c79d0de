// Synthetic stacks in memory for the kernel benchmarks: one slot as the pipeline would hand it to a backend.
#pragma once

#include <cstdint>
#include <memory>

#include "core/slot.hpp"
#include "model/step.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::bench {

/// What a stack is like.
struct StackShape {
  int num_dates = 98;
  int pairs_per_date = 5;       ///< each date with its next ones
  int num_long_pairs = 0;       ///< random pairs of dates farther apart, on top
  std::int64_t pixels = 15000;  ///< of the slot: about what the plan makes of 64 MiB at 475 pairs
  double missing_share = 0.02;  ///< of the samples are NaN
};

/// The step as MintPy's defaults have it: weights from phase variance, velocity norm, redundancy 1.
std::shared_ptr<const model::InvertNetwork> make_parameters(const StackShape& shape, model::WeightFunction weight);

std::shared_ptr<const SlotLayout> make_layout(const model::Step& step, std::int64_t pixels);

/// Phases of a smooth history with noise [rad], coherences 0.2 .. 1, NaN where samples are missing.
void fill_inputs(const model::InvertNetwork& parameters, const StackShape& shape, const Slot& slot);

}  // namespace outcrop::bench
