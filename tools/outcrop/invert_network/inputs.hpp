// The inputs of invert-network, looked at and checked against each other before anything is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/h5_source.hpp"
#include "io/mintpy/stack.hpp"
#include "model/network.hpp"
#include "tools/outcrop/invert_network/settings.hpp"

namespace outcrop::tools {

struct ReferencePixel {
  std::int64_t row = 0;
  std::int64_t col = 0;
};

struct InvertInputs {
  io::mintpy::Stack stack;
  std::vector<std::int64_t> layers;  ///< of the pairs in use: kept, and of two different dates
  std::int64_t num_kept = 0;         ///< kept by dropIfgram, pairs of a date with itself included
  model::Network network;            ///< of the pairs in use
  std::vector<double> bperp_m;       ///< [D] of the dates
  int num_looks = 1;
  double metres_per_unit = 1;               ///< from the unit of the observation
  int removed_date = 0;                     ///< see model::InvertNetwork
  int covariance_date = 0;                  ///< date that a covariance is relative to
  bool masks = false;                       ///< there is a mask dataset, and the stack has it
  std::optional<ReferencePixel> reference;  ///< nothing when referencing is skipped
  std::optional<io::mintpy::MapFile> water_mask;
  std::optional<io::mintpy::MapFile> quality;
  std::vector<std::string> notes;  ///< implicit inputs used or not found
  DeviationCounts deviations;      ///< those known before the run

  /// A request for all layers in use of a dataset of the stack.
  io::PlaneRequest plane(const std::string& name, const std::string& dataset) const;
};

/// Throws Errc::input or Errc::usage with one sentence when something is missing or contradicts something else.
InvertInputs read_inputs(const std::string& stack_path, const InvertSettings& settings, Log& log);

}  // namespace outcrop::tools
