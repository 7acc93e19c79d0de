// What a run is solved by.
#include "tools/outcrop/backend_choice.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/units.hpp"
#include "cpu/backend.hpp"
#include "gpu/backend.hpp"
#include "gpu/device.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/device_stages.hpp"
#include "tools/outcrop/device_options.hpp"

namespace outcrop::tools {
namespace {

/// A backend with its solver and, when it was planned, its plan.
struct Planned {
  std::unique_ptr<Backend> backend;
  pipeline::SolverChoice solver;
  pipeline::Candidate candidate;
};

class Chooser {
 public:
  Chooser(const RunWish& wish, Log& log) : wish_(wish), log_(log) {}

  RunChoice choose() {
    host_ = cpu::make_cpu_backend(wish_.workers.solve_for());
    if (wish_.config.device == "auto") return choose_fastest();
    return wish_.config.device == "cpu" ? choose_host("asked for") : choose_device();
  }

 private:
  RunChoice choose_host(const std::string& reason, std::int64_t held_bytes = 0) {
    Planned host = plan_host(held_bytes);
    host.candidate.plan->reason = reason;
    return {std::move(host_), nullptr, host.solver.solver, std::move(*host.candidate.plan)};
  }

  /// Without the backend, which a run keeps in any case.
  Planned plan_host(std::int64_t held_bytes = 0) const {
    const auto solver = choose_solver(wish_.config, wish_.step, wish_.machine, *host_);
    return {nullptr, solver, {host_->name(), plan_for(wish_, *host_, solver, held_bytes), ""}};
  }

  RunChoice choose_device() {
    std::int64_t held_bytes = 0;  // by a device that is open and not used
    try {
      Planned device = prepare_asked_for(held_bytes);
      return {std::move(host_), std::move(device.backend), device.solver.solver, std::move(*device.candidate.plan)};
    } catch (const Error& error) {
      if (error.code() != Errc::out_of_memory) throw;
      log_.warn(fmt::format("running on the host instead of --device {}: {}", wish_.config.device, error.what()));
      return choose_host(error.what(), held_bytes);
    }
  }

  /// Opened and planned. Throws what is wrong with the device, with advice; Errc::out_of_memory when its memory is
  /// short.
  Planned prepare_asked_for(std::int64_t& held_bytes) {
    try {
      Planned device = prepare(open_asked_for());
      held_bytes = device.backend->limits().workspace_bytes;
      plan(device);
      device.candidate.plan->reason = "asked for";
      return device;
    } catch (const Error& error) {
      if (error.code() != Errc::device) throw;
      fail(Errc::device,
           fmt::format("--device {}: {}; --device cpu runs on the host", wish_.config.device, error.what()));
    }
  }

  std::shared_ptr<gpu::Runtime> open_asked_for() const {
    const std::string& name = wish_.config.device;
    try {
      return wish_.start.open(name);
    } catch (const Error& error) {
      if (error.code() != Errc::usage) throw;
      fail(Errc::usage, fmt::format("--device {}: {}; a device is auto, cpu, cuda, cuda:N with N from 0, or sim", name,
                                    error.what()));
    }
  }

  RunChoice choose_fastest() {
    std::vector<Planned> all;
    all.push_back(plan_host());
    for (const std::string& name : names()) all.push_back(weigh(name, all[0].candidate.plan->predicted.wall_s));
    std::vector<pipeline::Candidate> candidates;
    for (const Planned& planned : all) candidates.push_back(planned.candidate);
    pipeline::Chosen chosen = pipeline::choose_candidate(candidates);
    if (chosen.reason.empty()) chosen.reason = why_host();
    Planned& best = all[chosen.index];
    log_.info(fmt::format("running on {}: {}", chosen.index == 0 ? "the host" : best.candidate.name, chosen.reason));
    if (const std::int64_t held = held_by_others(all, chosen.index)) {
      Backend& backend = best.backend ? *best.backend : *host_;
      best.candidate.plan = plan_for(wish_, backend, best.solver, held);
    }
    best.candidate.plan->reason = chosen.reason;
    return {std::move(host_), std::move(best.backend), best.solver.solver, std::move(*best.candidate.plan)};
  }

  /// Host memory that the libraries of opened devices keep, although another backend is chosen.
  static std::int64_t held_by_others(const std::vector<Planned>& all, std::size_t chosen) {
    std::int64_t held = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != chosen && all[i].backend) held += all[i].backend->limits().workspace_bytes;
    }
    return held;
  }

  /// The devices to weigh, by what --device calls them.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& device : wish_.machine.devices) {
      if (device.name.starts_with("cuda:") && gpu::has_nvidia_driver()) names.push_back(device.name);
    }
    if (wish_.config.sim.candidate) names.emplace_back("sim");
    return names;
  }

  /// The end of a sentence, when there is nothing to weigh.
  static std::string why_host() {
    if (!gpu::has_nvidia_driver()) return "this machine has no NVIDIA driver";
    return "the machine file knows no device of this machine (outcrop measure adds them); --device cuda runs on one";
  }

  /// A device that fails is left out, whatever is wrong with it. One that starts more slowly than the host is done is
  /// not opened.
  Planned weigh(const std::string& name, double host_wall_s) {
    Planned device;
    device.candidate.name = name;
    const double start_s = start_of(name);
    if (start_s > host_wall_s) {
      device.candidate.failure =
          fmt::format("it takes {} to start, the host needs {}", format_time(start_s), format_time(host_wall_s));
      return device;
    }
    try {
      device = prepare(wish_.start.open(pipeline::device_flag(name)));
      if (!has_pace(*device.backend, wish_.machine)) {
        device.candidate.failure = "the machine file does not say how fast it is; outcrop measure --device adds that";
        return device;
      }
      plan(device);
    } catch (const Error& error) {
      if (error.code() == Errc::cancelled) throw;
      device.candidate = {name, std::nullopt, error.what()};
    }
    return device;
  }

  /// Before the device is opened; 0: not known.
  double start_of(const std::string& name) const {
    if (name == "sim" && wish_.config.sim.start_s > 0) return wish_.config.sim.start_s;
    const pipeline::DeviceRates* const rates = pipeline::find_device(wish_.machine.devices, name);
    return rates != nullptr ? rates->start_s : 0;
  }

  /// The host's share in batches is part of the backend, and depends on what the device is.
  Planned prepare(const std::shared_ptr<gpu::Runtime>& runtime) const {
    gpu::DeviceOptions options = device_options(wish_.config, wish_.workers.solve_for(), log_);
    Planned device;
    device.backend = gpu::make_backend(runtime, options);
    device.candidate.name = device.backend->name();
    device.solver = choose_solver(wish_.config, wish_.step, wish_.machine, *device.backend);
    if (device.solver.host_assembles != options.host.assembles) {
      options.host.assembles = device.solver.host_assembles;
      device.backend = gpu::make_backend(runtime, options);
    }
    return device;
  }

  void plan(Planned& device) const { device.candidate.plan = plan_for(wish_, *device.backend, device.solver); }

  const RunWish& wish_;
  Log& log_;
  std::unique_ptr<Backend> host_;
};

}  // namespace

pipeline::Plan plan_for(const RunWish& wish, Backend& backend, const pipeline::SolverChoice& solver,
                        std::int64_t held_bytes) {
  const model::Step step = model::solved_by(wish.step, solver.solver);
  pipeline::Plan plan =
      pipeline::make_plan({wish.config, step, wish.source, wish.sink, backend, wish.machine, wish.memory_cap.value,
                           wish.memory_cap.reason, wish.workers.threads(), held_bytes});
  plan.solver_reason = solver.reason;
  return plan;
}

RunChoice choose_run(const RunWish& wish, Log& log) { return Chooser(wish, log).choose(); }

}  // namespace outcrop::tools
