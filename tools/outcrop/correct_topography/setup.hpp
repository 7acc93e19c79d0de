// From settings and inputs of correct-topography to the step with its source and sink.
#pragma once

#include "core/log.hpp"
#include "io/h5_source.hpp"
#include "tools/outcrop/correct_topography/products.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// What the step computes.
model::CorrectTopography parameters_of(const TopographySettings& settings, const TopographyInputs& inputs);

/// Everything about the run but source and sink, for open_files(). Warns of columns that cannot be told apart.
StepSetup prepare_setup(const TopographySettings& settings, const TopographyInputs& inputs,
                        const TopographyNames& names, Log& log);

/// Throws Errc::unsupported naming the dataset of a plane, from the given one on, that holds integers: what is measured
/// is floating point in MintPy's files.
void refuse_integers(const io::SourceInfo& source, std::size_t first_plane);

/// The whole of it, opened and checked.
StepSetup make_setup(const TopographySettings& settings, const TopographyInputs& inputs, const TopographyNames& names,
                     const io::SourceOptions& options, Log& log);

}  // namespace outcrop::tools
