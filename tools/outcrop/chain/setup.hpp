// From two steps that are set up each for itself to the chain with its source and sink.
#pragma once

#include "core/log.hpp"
#include "tools/outcrop/chain/second_step.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// Everything about the run of both in one pass; the settings, inputs and names of both, and log, must outlive it.
StepSetup make_chain_setup(const FirstStep& first, const SecondStep& second, const io::SourceOptions& options,
                           Log& log);

}  // namespace outcrop::tools
