// correct-topography as the second step of a chain: its series is not read but made by invert-network in the same run.
#pragma once

#include <optional>
#include <string>

#include "core/log.hpp"
#include "tools/outcrop/correct_topography/products.hpp"
#include "tools/outcrop/invert_network/products.hpp"

namespace outcrop::tools {

/// invert-network, as far as its products are decided.
struct FirstStep {
  const InvertSettings& settings;
  const InvertInputs& inputs;
  const ProductNames& names;
};

struct SecondStep {
  TopographySettings settings;
  TopographyInputs inputs;
  TopographyNames names;
};

/// What the first step's series file will hold, but for the pixels.
/// Throws Errc::usage when a product other than the quality would be taken for the temporal coherence.
MadeSeries made_series(const FirstStep& first);

/// Throws Errc::usage: the observation is one that the DEM error does not show in, or a product of one step has the
/// name of a product or of an input of the other; and what correct-topography itself throws.
SecondStep read_second_step(const FirstStep& first, const TopographyFlags& flags,
                            const std::optional<io::mintpy::Template>& given, const std::string& out_dir, Log& log);

}  // namespace outcrop::tools
