#include "tools/outcrop/opening.hpp"

namespace outcrop::tools {
namespace {

pipeline::Config open(const CommonOptions& options, const Invocation& invocation, Log& log) {
  refuse_not_built(options);
  log.info(first_log_line(options, invocation.command_line));
  return prepare(options, log);
}

}  // namespace

Opening::Opening(const CommonOptions& options, const Invocation& invocation)
    : log(verbosity_of(options)), config(open(options, invocation, log)) {
  if (options.template_path) given = io::mintpy::Template::read(*options.template_path);
}

bool skips_update(const CommonOptions& options, const std::optional<std::string>& reason, Log& log) {
  log.info(reason ? "update: run, because " + *reason : "update: skip, the products are up to date");
  if (!reason && options.quicklook) log.info("--quicklook: nothing is computed, so no maps are drawn");
  return !reason;
}

}  // namespace outcrop::tools
