// What became of the differences from MintPy and of the other findings of a run's steps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "core/status.hpp"
#include "io/tile_sink.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// Name of a deviation to how often it was met.
using Deviations = std::map<std::string, std::int64_t>;

/// Of each step: those known before the run, and those counted pixel by pixel in it.
std::vector<Deviations> deviations_of_steps(const StepSetup& setup, const Tally& tally);

/// Of all steps together.
Deviations sum_of(const std::vector<Deviations>& of_steps);

/// The products of each step tell of its own deviations.
std::vector<io::LateAttribute> late_attributes(const std::vector<Deviations>& of_steps);

void warn_of_findings(const StepSetup& setup, const Tally& tally, Log& log);

}  // namespace outcrop::tools
