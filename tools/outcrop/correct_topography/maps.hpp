// What --quicklook shows of correct-topography.
#pragma once

#include "tools/outcrop/correct_topography/products.hpp"
#include "tools/outcrop/quicklook/wishes.hpp"

namespace outcrop::tools {

/// DEM error, corrected displacement at three dates, root mean square of the residual at each date when it is written;
/// settings and inputs for the page.
QuicklookWishes maps_of(const TopographySettings& settings, const TopographyInputs& inputs,
                        const TopographyNames& names);

}  // namespace outcrop::tools
