// The maps of both steps of a chain, on one page.
#pragma once

#include "model/steps/chain.hpp"
#include "tools/outcrop/chain/second_step.hpp"
#include "tools/outcrop/quicklook/wishes.hpp"

namespace outcrop::tools {

/// `chain`: the step whose planes are drawn.
QuicklookWishes maps_of(const FirstStep& first, const SecondStep& second, const model::Chain& chain);

}  // namespace outcrop::tools
