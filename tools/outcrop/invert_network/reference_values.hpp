// The observations at the reference pixel, read before the run: what is subtracted from every pair.
#pragma once

#include <vector>

#include "core/log.hpp"
#include "io/h5_source.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"

namespace outcrop::tools {

/// [M] unit of the observation: 0 where nothing is to be subtracted, NaN where the pair is left out at every pixel.
/// Warns once for the pairs that are exactly 0 at the reference pixel, once (naming them) for those left out, and when
/// the reference pixel is masked. `num_without_data`: pairs left out, for the report. Throws Errc::input when no pair
/// is left.
std::vector<float> read_reference(const InvertInputs& inputs, const InvertSettings& settings,
                                  const io::SourceOptions& options, std::int64_t& num_without_data, Log& log);

}  // namespace outcrop::tools
