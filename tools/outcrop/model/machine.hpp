// Which model a command works with: the machine file that was named, or the published one.
#pragma once

#include <optional>
#include <string>

#include "model/cost/speedup.hpp"
#include "pipeline/speedup_file.hpp"

namespace outcrop::tools {

/// Throws Errc::usage as read_speedup_model().
pipeline::SpeedupModel speedup_of(const std::optional<std::string>& machine_path);

/// Throws Errc::usage when the file holds none.
model::SpeedupCoefficients coefficients_of(const pipeline::SpeedupModel& speedup);

/// The coefficients, on the named storage when there is a name. Throws Errc::usage naming the storages there are.
model::SpeedupCoefficients coefficients_on(const pipeline::SpeedupModel& speedup,
                                           const std::optional<std::string>& storage);

}  // namespace outcrop::tools
