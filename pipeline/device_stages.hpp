// What the stages of a device take.
#pragma once

#include <vector>

#include "model/cost/pipeline_time.hpp"
#include "pipeline/plan.hpp"

namespace outcrop::pipeline {

/// What is known of a device, from itself and else from the machine file.
struct DevicePace {
  double copy_in_bytes_per_s = 0;  ///< 0: not known
  double copy_out_bytes_per_s = 0;
  double launch_s = 0;
  double assemble_bytes_per_s = 0;  ///< of the host's workers, for it
  double pixel_s = 0;               ///< of the step
};

/// Whether the device itself or the machine file says how fast it solves.
bool has_pace(const Backend& backend, const Machine& machine);

/// A device that neither says its rates nor is in the machine file is taken for one thread of this machine.
DevicePace pace_of(Backend& backend, const model::Step& step, const Machine& machine, bool host_assembles);

/// Expects a plan with its program and layout. Copies and kernels have engines of their own; forming design matrices
/// takes the processors.
std::vector<model::StageTime> device_stages(const Plan& plan, const PlanInputs& in);

/// Seconds until the backend's device can be used, as it says itself, else as the machine file says; 0 for the host.
double device_start_s(const Backend& backend, const Machine& machine);

}  // namespace outcrop::pipeline
