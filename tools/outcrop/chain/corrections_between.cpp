#include "tools/outcrop/chain/corrections_between.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace outcrop::tools {

std::optional<std::string> correction_between(const std::optional<io::mintpy::Template>& given) {
  if (!given) return std::nullopt;
  // In the order of the workflow.
  for (const char* key : {"mintpy.solidEarthTides", "mintpy.ionosphericDelay.method", "mintpy.troposphericDelay.method",
                          "mintpy.deramp"}) {
    const auto value = given->get(key);
    if (!value || *value == "False" || *value == "None") continue;
    return fmt::format("{} = {}", key, given->is_auto(key) ? fmt::format("auto, which is {}", *value) : *value);
  }
  return std::nullopt;
}

void refuse_correction_between(const std::optional<io::mintpy::Template>& given) {
  const auto correction = correction_between(given);
  if (!correction) return;
  fail(Errc::usage,
       fmt::format("--then: {} says {}, a correction that belongs between the two steps; run invert-network alone, "
                   "then that correction, then correct-topography, or leave the correction out with --then-anyway",
                   given->path(), *correction));
}

}  // namespace outcrop::tools
