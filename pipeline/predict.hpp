// What a plan moves, and how long its stages take on a machine.
#pragma once

#include "pipeline/plan.hpp"

namespace outcrop::pipeline {

/// Fills in the bytes of a plan whose tiles are chosen, and notes what is read more than once.
void add_volumes(Plan& plan, const PlanInputs& in);

/// Expects the volumes. Stages are named as in the run report; each takes so long alone, with all workers that it may
/// use.
Prediction predict(const Plan& plan, const PlanInputs& in);

}  // namespace outcrop::pipeline
