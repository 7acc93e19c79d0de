// From settings and inputs to the step with its source and sink.
#pragma once

#include "core/log.hpp"
#include "io/h5_source.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/invert_network/products.hpp"
#include "tools/outcrop/invert_network/settings.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// What the step computes, but for what has to be read from the images: reference values and medians are 0.
model::InvertNetwork parameters_of(const InvertSettings& settings, const InvertInputs& inputs);

/// Everything about the run but source and sink, for open_files(); settings, inputs and log must outlive it.
StepSetup prepare_setup(const InvertSettings& settings, const InvertInputs& inputs, const ProductNames& names,
                        const io::SourceOptions& options, Log& log);

/// Adds what can be said once the source is open: what a search for medians reads.
void add_source_notes(StepSetup& setup, const InvertSettings& settings, const InvertInputs& inputs);

/// The whole of it, opened.
StepSetup make_setup(const InvertSettings& settings, const InvertInputs& inputs, const ProductNames& names,
                     const io::SourceOptions& options, Log& log);

}  // namespace outcrop::tools
