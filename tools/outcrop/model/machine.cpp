#include "tools/outcrop/model/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/error.hpp"

namespace outcrop::tools {

pipeline::SpeedupModel speedup_of(const std::optional<std::string>& machine_path) {
  return machine_path ? pipeline::read_speedup_model(*machine_path) : pipeline::published_speedup_model();
}

model::SpeedupCoefficients coefficients_of(const pipeline::SpeedupModel& speedup) {
  if (!speedup.coefficients) {
    fail(Errc::usage,
         fmt::format("'{}' holds no coefficients (section [speedup]); model fit makes them from its scenes",
                     speedup.title));
  }
  return *speedup.coefficients;
}

model::SpeedupCoefficients coefficients_on(const pipeline::SpeedupModel& speedup,
                                           const std::optional<std::string>& storage) {
  const auto here = coefficients_of(speedup);
  if (!storage) return here;
  std::vector<std::string> names;
  for (const auto& modifier : speedup.storages) {
    if (modifier.name == *storage) return model::on_storage(here, modifier);
    names.push_back(modifier.name);
  }
  fail(Errc::usage, fmt::format("--storage {}: '{}' has {}", *storage, speedup.title,
                                names.empty() ? "no [[storage]]" : fmt::format("only {}", fmt::join(names, ", "))));
}

}  // namespace outcrop::tools
