#include "pipeline/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "pipeline/layouter.hpp"
#include "pipeline/predict.hpp"

namespace outcrop::pipeline {
namespace {

/// Predictions that differ by less tell nothing apart.
constexpr double clearly_faster_share = 0.02;

void check_planes(const model::Step& step, const io::SourceInfo& source) {
  OUTCROP_EXPECT(step.inputs.size() == source.planes.size(),
                 "the source and the step differ in their number of planes");
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    OUTCROP_EXPECT(step.inputs[i].name == source.planes[i].name && step.inputs[i].depth == source.planes[i].depth,
                   fmt::format("the source has no plane '{}' of the step", step.inputs[i].name));
  }
}

std::string assembly_of(const Plan& plan) {
  if (plan.solver != "batched") return "none";
  return plan.program.batch_pixels() == 0 || plan.program.host_assembles ? "host" : "device";
}

/// How many may wait for input at once: some, and more where a request waits long.
int choose_readers(Plan& plan, const PlanInputs& in) {
  if (in.config.readers > 0) return in.config.readers;
  constexpr std::array<int, 4> more = {8, 16, 32, 64};
  int best = plan.readers = std::clamp(plan.slots, 1, 4);
  double least_s = predict(plan, in).wall_s;
  for (const int readers : more) {
    if (readers > 2 * plan.slots) break;
    plan.readers = std::min(readers, plan.slots);
    const double wall_s = predict(plan, in).wall_s;
    if (wall_s >= (1 - clearly_faster_share) * least_s) continue;
    best = plan.readers;
    least_s = wall_s;
  }
  return best;
}

/// All that follows from tiles and slots.
void complete(Plan& plan, const Layouter& layouter, const PlanInputs& in) {
  plan.device_bytes = layouter.device_bytes(plan);
  plan.queues = layouter.queues(plan.slots);
  add_volumes(plan, in);
  plan.readers = choose_readers(plan, in);
  plan.predicted = predict(plan, in);
}

/// Short runs cost the processors more than predictions count.
bool cuts_more_rows(const Plan& plan, const Plan& usual) { return plan.bands.cut_rows() && !usual.bands.cut_rows(); }

/// The same run with the tiles and slots that are predicted to be clearly faster than the usual ones, if there are any.
Plan with_fastest_tiles(const Plan& start, Plan usual, const Layouter& layouter, const PlanInputs& in) {
  std::vector<std::pair<double, Layout>> faster;
  for (const Layout& layout : layouter.alternatives(usual)) {
    Plan plan = start;
    if (!layouter.sketch(plan, layout) || cuts_more_rows(plan, usual)) continue;
    complete(plan, layouter, in);
    const double least_s = faster.empty() ? usual.predicted.wall_s : faster.back().first;
    if (plan.predicted.wall_s < (1 - clearly_faster_share) * least_s)
      faster.emplace_back(plan.predicted.wall_s, layout);
  }
  for (; !faster.empty(); faster.pop_back()) {
    Plan plan = start;
    if (!layouter.lay_out(plan, faster.back().second) || cuts_more_rows(plan, usual)) continue;
    complete(plan, layouter, in);
    if (plan.predicted.wall_s < usual.predicted.wall_s) return plan;
  }
  return usual;
}

}  // namespace

std::int64_t Plan::planned_bytes() const {
  return std::accumulate(memory.begin(), memory.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& item) { return sum + item.second; });
}

double Plan::fetched_bytes() const {
  return unwritten ? static_cast<double>(decoded_bytes) : static_cast<double>(needed_bytes) * reread_factor;
}

Plan make_plan(const PlanInputs& in) {
  check_planes(in.step, in.source.describe());
  Plan start;
  start.unwritten = is_unwritten(in.source.describe());
  start.threads = in.threads;
  start.runner = in.config.runner;
  start.memory_cap_bytes = in.memory_cap_bytes;
  start.memory_reason = in.memory_reason;
  start.writers = in.config.writers > 0 ? in.config.writers : 2;
  start.device = in.backend.name();
  start.solver = model::name_of(in.step.solver);
  const Layouter layouter(in);
  start.scratch_bytes = layouter.scratch_bytes();
  start.program = layouter.program();
  start.assembly = assembly_of(start);
  Plan usual = start;
  layouter.choose(usual);
  complete(usual, layouter, in);
  Plan plan = with_fastest_tiles(start, std::move(usual), layouter, in);
  plan.predicted.rates = rates_id(in.machine);
  plan.space_bytes = in.sink.space_bytes();
  if (const auto wanted = layouter.slots_without_room(plan)) {
    plan.notes.push_back(fmt::format("the memory of {} holds {} tiles in flight instead of {}: less can overlap",
                                     plan.device, plan.slots, *wanted));
  }
  if (plan.program.batch_without_room > 0) {
    plan.notes.push_back(fmt::format("the memory of {} holds batches of {} pixels instead of {}", plan.device,
                                     plan.program.batch_pixels(), plan.program.batch_without_room));
  }
  if (plan.unwritten) {
    plan.notes.emplace_back(
        "the input holds no data yet: reading, the bytes over a network and the memory of a tile are those of samples "
        "stored as float32 without compression");
  }
  return plan;
}

}  // namespace outcrop::pipeline
