// `outcrop info`: what a file is, how it is stored and what a step would use of it.
#pragma once

#include <optional>
#include <string>

#include "core/log.hpp"
#include "io/mintpy/template.hpp"
#include "tools/outcrop/info/report.hpp"

namespace outcrop::tools {

/// Reads headers, chunk indexes and small datasets, no pixel. Throws: Errc::input naming the file when it cannot be
/// read at all; what else is wrong with it becomes a part of the report.
InfoReport make_info(const std::string& path, const std::optional<io::mintpy::Template>& given, Log& log);

}  // namespace outcrop::tools
