// What a run costs before its first pixel and after its last.
#pragma once

#include <atomic>
#include <string>

namespace outcrop::tools {

/// Seconds of a whole run of this program on a scene of a few pixels, made in `folder`: the median of several.
/// Throws: Errc::io when it fails or cannot be started, Errc::cancelled.
double measure_start(const std::string& folder, const std::atomic<int>& stop);

}  // namespace outcrop::tools
