// Setting up a device backend.
#include "tools/outcrop/device_options.hpp"

#include "cpu/marked_pixels.hpp"

namespace outcrop::tools {

gpu::sim::Options sim_options(const pipeline::SimulatedDevice& sim, const pipeline::StopSignal& stop) {
  return {sim.memory_bytes,
          sim.copy_bytes_per_s,
          sim.launch_s,
          sim.flops_per_s,
          {sim.fail_allocation, sim.fail_pinned, sim.fail_copy, sim.fail_kernel, sim.fail_queue},
          sim.start_s,
          &stop};
}

gpu::DeviceStart begin_device(const pipeline::Config& config, const pipeline::StopSignal& stop) {
  return {config.device, sim_options(config.sim, stop)};
}

gpu::DeviceOptions device_options(const pipeline::Config& config, const ParallelFor& parallel, Log& log) {
  gpu::DeviceOptions options;
  options.queues = config.queues;
  options.batch_pixels = config.batch_pixels;
  options.warn = [&log](const std::string& sentence) { log.warn(sentence); };
  options.host.assembles = config.host_assembles.value_or(false);
  options.host.parallel = &parallel;
  options.host.make_solve_marked = [&parallel](const model::Step& step, const SlotLayout& layout) {
    return [&parallel, solve = cpu::make_marked_solver(step, layout)](Slot& slot) { solve(slot, parallel); };
  };
  options.host.solve_marked_bytes = [&parallel](const model::Step& step) {
    return cpu::marked_solver_bytes(step, parallel.concurrency());
  };
  return options;
}

}  // namespace outcrop::tools
