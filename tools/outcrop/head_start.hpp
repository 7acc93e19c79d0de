// The first tiles of a run are read while its device starts.
#pragma once

#include <memory>

#include "pipeline/head_start.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/run_state.hpp"
#include "tools/outcrop/backend_choice.hpp"

namespace outcrop::tools {

/// The device has not said yet how much memory it has: its tiles are taken to be those of the host. They are, unless
/// the device or the host is short of memory. Null when the host's plan leaves no memory, or there is none.
std::unique_ptr<pipeline::HeadStart> begin_reading(const RunWish& wish, const pipeline::StopSignal& stop);

/// Adds the memory of the tiles to the plan; gives them up when the plan has others, or no memory for them.
void keep_if_it_fits(std::unique_ptr<pipeline::HeadStart>& head_start, pipeline::Plan& plan);

}  // namespace outcrop::tools
