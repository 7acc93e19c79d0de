// How the commands of all steps begin: log, configuration and template, and whether there is anything to do.
#pragma once

#include <optional>
#include <string>

#include "core/log.hpp"
#include "io/mintpy/template.hpp"
#include "pipeline/config.hpp"
#include "tools/outcrop/action.hpp"
#include "tools/outcrop/common_options.hpp"

namespace outcrop::tools {

struct Opening {
  /// Goes to --work-dir, writes the first line of the log. Throws what a bad option, configuration or template throws.
  Opening(const CommonOptions& options, const Invocation& invocation);

  Log log;
  pipeline::Config config;
  std::optional<io::mintpy::Template> given;
};

/// With --update, says on the log what it comes to. `reason`: to run; nullopt when the products are up to date.
/// Gives: whether to stop here.
bool skips_update(const CommonOptions& options, const std::optional<std::string>& reason, Log& log);

}  // namespace outcrop::tools
