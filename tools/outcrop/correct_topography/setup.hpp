// From settings and inputs of correct-topography to the step with its source and sink.
#pragma once

#include "core/log.hpp"
#include "io/h5_source.hpp"
#include "tools/outcrop/correct_topography/products.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// What the step computes.
model::CorrectTopography parameters_of(const TopographySettings& settings, const TopographyInputs& inputs);

/// Everything about the run. Warns of columns that cannot be told apart. Throws Errc::unsupported naming a dataset that
/// holds integers.
StepSetup make_setup(const TopographySettings& settings, const TopographyInputs& inputs, const TopographyNames& names,
                     const io::SourceOptions& options, Log& log);

}  // namespace outcrop::tools
