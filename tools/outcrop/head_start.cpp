// Reading before the device is there.
#include "tools/outcrop/head_start.hpp"

#include <algorithm>

namespace outcrop::tools {
namespace {

/// What the plan leaves of the memory is also for what only the device's plan knows of.
constexpr std::int64_t share_of_rest = 4;

}  // namespace

std::unique_ptr<pipeline::HeadStart> begin_reading(const pipeline::PlanInputs& on_host,
                                                   const pipeline::StopSignal& stop) {
  pipeline::Plan plan;
  try {
    plan = pipeline::make_plan(on_host);
  } catch (const Error&) {
    return nullptr;  // whether this is an error is for the plan of the device to say
  }
  const std::int64_t rest = (plan.memory_cap_bytes - plan.planned_bytes()) / share_of_rest;
  const auto tiles = static_cast<int>(std::clamp<std::int64_t>(rest / plan.layout->total_bytes(), 0, plan.slots));
  return tiles == 0 ? nullptr : std::make_unique<pipeline::HeadStart>(plan, on_host.source, stop, tiles);
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
