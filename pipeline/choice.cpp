// Choices that predictions make.
#include "pipeline/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/units.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/device_stages.hpp"

namespace outcrop::pipeline {
namespace {

/// A device that is not faster by that share is not worth it: predictions are no better.
constexpr double clear_share = 0.03;

std::string title_of(const Candidate& candidate, const Candidate& host) {
  return &candidate == &host ? "the host" : candidate.name;
}

double wall_of(const Candidate& candidate) { return candidate.plan->predicted.wall_s; }

/// "predicted 1.20 s on the host, 0.40 s on sim", the chosen one first.
std::string walls_text(const std::vector<Candidate>& candidates, std::size_t chosen) {
  std::vector<std::string> walls;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].plan) continue;
    const std::string wall =
        fmt::format("{} on {}", format_time(wall_of(candidates[i])), title_of(candidates[i], candidates.front()));
    walls.insert(i == chosen ? walls.begin() : walls.end(), wall);
  }
  return fmt::format("predicted {}", fmt::join(walls, ", "));
}

/// What a pixel takes on a device, in the busiest of its parts.
double device_pixel_s(Backend& backend, const model::Step& step, const Machine& machine, bool host_assembles) {
  const DevicePace pace = pace_of(backend, step, machine, host_assembles);
  double bytes = 0;
  for (const auto& plane : step.inputs) bytes += static_cast<double>(plane.depth * size_bytes(DType::f32));
  const double design = host_assembles ? static_cast<double>(backend.program_on_device(step).design_bytes) : 0;
  const double copied_s = pace.copy_in_bytes_per_s > 0 ? (bytes + design) / pace.copy_in_bytes_per_s : 0;
  const double assembled_s = pace.assemble_bytes_per_s > 0 ? design / pace.assemble_bytes_per_s : 0;
  return std::max({copied_s, pace.pixel_s, assembled_s});
}

/// The kernels of the machine file that the backend's programs are predicted with; null when there are none.
const std::vector<KernelRate>* kernels_of(const Backend& backend, const Machine& machine) {
  if (!backend.limits().is_device) return &machine.kernels;
  const DeviceRates* const rates = find_device(machine.devices, backend.name());
  return rates == nullptr || backend.limits().flops_per_s > 0 ? nullptr : &rates->kernels;
}

std::string pixel_text(double seconds) { return fmt::format("{:.3g} us a pixel", 1e6 * seconds); }

/// Who forms the design matrices of a step that is solved in batches.
SolverChoice with_assembly(SolverChoice choice, const Config& config, const model::Step& batched,
                           const Machine& machine, Backend& backend) {
  if (!backend.limits().is_device) return choice;
  if (config.host_assembles) {
    choice.host_assembles = *config.host_assembles;
    return choice;
  }
  const auto* const kernels = kernels_of(backend, machine);
  if (kernels == nullptr || !kernels_s(*kernels, batched, false) || !kernels_s(*kernels, batched, true)) return choice;
  const double by_device_s = device_pixel_s(backend, batched, machine, false);
  const double by_host_s = device_pixel_s(backend, batched, machine, true);
  choice.host_assembles = by_host_s < (1 - clear_share) * by_device_s;
  choice.reason += fmt::format("; design matrices formed by the device: predicted {}, by the host: {}",
                               pixel_text(by_device_s), pixel_text(by_host_s));
  return choice;
}

SolverChoice by_seconds(double structured_s, double batched_s) {
  const bool is_batched = batched_s < (1 - clear_share) * structured_s;
  return {is_batched ? model::Solver::batched : model::Solver::structured, false,
          is_batched ? fmt::format("predicted {}, structured {}", pixel_text(batched_s), pixel_text(structured_s))
                     : fmt::format("predicted {}, batched {}", pixel_text(structured_s), pixel_text(batched_s))};
}

SolverChoice choose_freely(const Config& config, const model::Step& step, const Machine& machine, Backend& backend) {
  SolverChoice usual{model::Solver::structured, false,
                     "the step's structure takes fewer operations; no G_batch is formed"};
  const auto* const kernels = kernels_of(backend, machine);
  if (kernels == nullptr) return usual;
  const model::Step structured = model::solved_by(step, model::Solver::structured);
  const model::Step batched = model::solved_by(step, model::Solver::batched);
  const auto structured_s = kernels_s(*kernels, structured);
  const auto batched_s = kernels_s(*kernels, batched);
  if (!structured_s || !batched_s) return usual;
  if (!backend.limits().is_device) return by_seconds(*structured_s, *batched_s);
  SolverChoice choice = with_assembly({model::Solver::batched, false, ""}, config, batched, machine, backend);
  SolverChoice weighed = by_seconds(device_pixel_s(backend, structured, machine, false),
                                    device_pixel_s(backend, batched, machine, choice.host_assembles));
  if (weighed.solver == model::Solver::structured) return weighed;
  choice.reason = weighed.reason + choice.reason;
  return choice;
}

}  // namespace

Chosen choose_candidate(const std::vector<Candidate>& candidates) {
  OUTCROP_EXPECT(!candidates.empty() && candidates.front().plan.has_value(), "a run can be planned for the host");
  Chosen chosen;
  double least_s = (1 - clear_share) * wall_of(candidates.front());
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (!candidates[i].plan || wall_of(candidates[i]) >= least_s) continue;
    chosen.index = i;
    least_s = wall_of(candidates[i]);
  }
  const bool weighed = std::any_of(candidates.begin() + 1, candidates.end(), [](const auto& c) { return !!c.plan; });
  if (weighed) chosen.reason = walls_text(candidates, chosen.index);
  for (const Candidate& candidate : candidates) {
    if (candidate.plan) continue;
    chosen.reason +=
        fmt::format("{}{} is left out: {}", chosen.reason.empty() ? "" : "; ", candidate.name, candidate.failure);
  }
  return chosen;
}

SolverChoice choose_solver(const Config& config, const model::Step& step, const Machine& machine, Backend& backend) {
  if (config.solver == "structured") return {model::Solver::structured, false, "asked for; no G_batch is formed"};
  if (config.solver == "batched") {
    return with_assembly({model::Solver::batched, false, "asked for"}, config,
                         model::solved_by(step, model::Solver::batched), machine, backend);
  }
  if (config.solver != "auto") {
    fail(Errc::usage, fmt::format("there is no solver '{}' (--solver, device.solver of the configuration); there are "
                                  "auto, structured and batched",
                                  config.solver));
  }
  return choose_freely(config, step, machine, backend);
}

}  // namespace outcrop::pipeline
