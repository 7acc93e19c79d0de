// Run reports as observations that the speedup model can be fitted to.
#pragma once

#include <string>

#include "model/cost/speedup_fit.hpp"

namespace outcrop::pipeline {

/// K are the pixels solved, D and P the dates and parameters, the time is the wall time; it is one of the host when the
/// device was the CPU, else one of the device. Throws Errc::usage naming the file and what it lacks: reports of runs
/// that failed, solved nothing, or were written before reports held the size of the problem.
model::Observation read_report_observation(const std::string& path);

/// The same from text; `name` stands for the file in messages.
model::Observation parse_report_observation(const std::string& text, const std::string& name);

}  // namespace outcrop::pipeline
