// The time of each stage over the number of pixels, drawn from the rates of a machine.
#pragma once

#include <string>

#include "pipeline/machine.hpp"

namespace outcrop::tools {

/// A heading, a picture and what it shows, as HTML: the inversion of an uncompressed stack by `threads` threads.
std::string stage_times_html(const pipeline::Machine& machine, const std::string& machine_name, int threads);

}  // namespace outcrop::tools
