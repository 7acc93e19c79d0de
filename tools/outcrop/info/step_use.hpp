// What the steps would take from a file: the answer to "will it run, and on what?".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/contents.hpp"
#include "io/mintpy/template.hpp"
#include "tools/outcrop/info/report.hpp"

namespace outcrop::tools {

/// Of an interferogram stack: its network, and what invert-network would use or why it would refuse.
std::vector<InfoSection> describe_stack(const std::string& path, const std::optional<io::mintpy::Template>& given,
                                        Log& log);

/// Of a time series or a geometry file: what correct-topography would use of it.
InfoSection describe_series(const io::Contents& series);
InfoSection describe_geometry(const io::Contents& geometry);

}  // namespace outcrop::tools
