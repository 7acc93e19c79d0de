// Stages of a device, predicted.
#include "pipeline/device_stages.hpp"

namespace outcrop::pipeline {
namespace {

using model::Resource;

double known(double rate, double else_rate) { return rate > 0 ? rate : else_rate; }

double bytes_of(const SlotLayout& layout, std::size_t first, std::size_t last) {
  double bytes = 0;
  for (std::size_t i = first; i < last; ++i) {
    const PlaneLayout& plane = layout.planes()[i];
    bytes += static_cast<double>(plane.depth * size_bytes(plane.dtype));
  }
  return bytes;
}

double launches_of(const Plan& plan) {
  const std::int64_t tile = plan.grid.tile_rows() * plan.grid.tile_cols();
  return static_cast<double>(plan.grid.count() * plan.program.launches_of(tile));
}

}  // namespace

bool has_pace(const Backend& backend, const Machine& machine) {
  return backend.limits().flops_per_s > 0 || find_device(machine.devices, backend.name()) != nullptr;
}

DevicePace pace_of(Backend& backend, const model::Step& step, const Machine& machine, bool host_assembles) {
  const BackendLimits limits = backend.limits();
  const DeviceRates* const found = find_device(machine.devices, backend.name());
  const DeviceRates rates = found != nullptr ? *found : DeviceRates{};
  const double memory = machine.memory_copy_bytes_per_s;
  DevicePace pace;
  pace.copy_in_bytes_per_s = known(limits.copy_bytes_per_s, known(rates.copy_in_bytes_per_s, memory));
  pace.copy_out_bytes_per_s = known(limits.copy_bytes_per_s, known(rates.copy_out_bytes_per_s, memory));
  pace.launch_s = known(limits.launch_s, rates.launch_s);
  pace.assemble_bytes_per_s = known(rates.assemble_bytes_per_s, memory);
  if (limits.flops_per_s > 0) {
    pace.pixel_s = step.flops() / limits.flops_per_s;
  } else {
    pace.pixel_s = kernels_s(rates.kernels, step, host_assembles)
                       .value_or(kernels_s(rates.kernels, step).value_or(machine.solve_s(step)));
  }
  return pace;
}

std::vector<model::StageTime> device_stages(const Plan& plan, const PlanInputs& in) {
  const DevicePace pace = pace_of(in.backend, in.step, in.machine, plan.program.host_assembles);
  const SlotLayout& layout = *plan.layout;
  const std::size_t inputs = in.step.inputs.size();
  const double pixels = static_cast<double>(plan.grid.rows() * plan.grid.cols());
  const double design = plan.program.host_assembles ? pixels * static_cast<double>(plan.program.design_bytes) : 0;
  const double copied_in = pixels * bytes_of(layout, 0, inputs) + design;
  const double copied_out = pixels * bytes_of(layout, inputs, layout.planes().size());
  std::vector<model::StageTime> stages;
  if (design > 0)
    stages.push_back({"assemble", Resource::processors, seconds_at(pace.assemble_bytes_per_s, design), 0});
  // The processors of this machine make the copies of a simulated device.
  const double host_rate = in.backend.limits().device_is_host ? in.machine.memory_copy_bytes_per_s : 0;
  stages.push_back({"copy_in", Resource::copy_in, seconds_at(pace.copy_in_bytes_per_s, copied_in),
                    seconds_at(host_rate, copied_in)});
  stages.push_back({"solve", Resource::device, pixels * pace.pixel_s + pace.launch_s * launches_of(plan), 0});
  stages.push_back({"copy_out", Resource::copy_out, seconds_at(pace.copy_out_bytes_per_s, copied_out),
                    seconds_at(host_rate, copied_out)});
  return stages;
}

double device_start_s(const Backend& backend, const Machine& machine) {
  const DeviceRates* const rates = find_device(machine.devices, backend.name());
  return known(backend.limits().start_s, rates != nullptr ? rates->start_s : 0);
}

}  // namespace outcrop::pipeline
