// `outcrop model project`: is a step that is described by its flops and bytes a pixel worth a device?
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "model/cost/projection.hpp"
#include "pipeline/speedup_file.hpp"

namespace outcrop::tools {

struct ProjectOptions {
  model::StepDescription step;
  std::optional<std::string> storage;
  double growth = model::worthwhile_growth;
  bool json = false;
};

void project_step(const pipeline::SpeedupModel& speedup, const ProjectOptions& options, std::ostream& out);

}  // namespace outcrop::tools
