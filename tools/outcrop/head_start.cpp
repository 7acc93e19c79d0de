// Reading before the device is there.
#include "tools/outcrop/head_start.hpp"

#include <algorithm>

#include "cpu/backend.hpp"

namespace outcrop::tools {
namespace {

/// What the plan leaves of the memory is also for what only the device's plan knows of.
constexpr std::int64_t share_of_rest = 4;

pipeline::Plan plan_on_host(const RunWish& wish) {
  const auto host = cpu::make_cpu_backend(wish.workers.solve_for());
  return plan_for(wish, *host, choose_solver(wish.config, wish.step, wish.machine, *host));
}

}  // namespace

std::unique_ptr<pipeline::HeadStart> begin_reading(const RunWish& wish, const pipeline::StopSignal& stop) {
  pipeline::Plan plan;
  try {
    plan = plan_on_host(wish);
  } catch (const Error&) {
    return nullptr;  // whether this is an error is for the plan of the device to say
  }
  const std::int64_t rest = (plan.memory_cap_bytes - plan.planned_bytes()) / share_of_rest;
  const auto tiles = static_cast<int>(std::clamp<std::int64_t>(rest / plan.layout->total_bytes(), 0, plan.slots));
  return tiles == 0 ? nullptr : std::make_unique<pipeline::HeadStart>(plan, wish.source, stop, tiles);
}

void keep_if_it_fits(std::unique_ptr<pipeline::HeadStart>& head_start, pipeline::Plan& plan) {
  if (head_start == nullptr) return;
  if (head_start->fits(plan) && plan.planned_bytes() + head_start->bytes() <= plan.memory_cap_bytes) {
    plan.memory.emplace_back("tiles read before the device is there", head_start->bytes());
  } else {
    head_start.reset();
  }
}

}  // namespace outcrop::tools
