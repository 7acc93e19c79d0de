// The dates that are left out of the fit, from lists and files.
#pragma once

#include <string>
#include <vector>

#include "core/log.hpp"
#include "tools/outcrop/correct_topography/settings.hpp"

namespace outcrop::tools {

/// Sorted, each once, only those of `dates`. Warns of others; says in `notes` which files were read or not there.
/// Throws Errc::input when a file that was named is not there.
std::vector<std::string> excluded_dates(const std::vector<ExcludedEntry>& entries,
                                        const std::vector<std::string>& dates, std::vector<std::string>& notes,
                                        Log& log);

}  // namespace outcrop::tools
