// What --quicklook shows of invert-network.
#pragma once

#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/quicklook/wishes.hpp"

namespace outcrop::tools {

/// Quality, number of observations, displacement at three dates; settings and inputs for the page.
QuicklookWishes maps_of(const InvertSettings& settings, const InvertInputs& inputs);

}  // namespace outcrop::tools
