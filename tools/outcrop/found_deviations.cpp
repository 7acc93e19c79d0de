// Deviations and findings, step by step.
#include "tools/outcrop/found_deviations.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/steps/chain.hpp"

namespace outcrop::tools {
namespace {

/// What became of the deviations of a step: known before the run, and counted pixel by pixel in it.
Deviations all_deviations(Deviations known, const model::Step& step, const Tally& tally) {
  for (std::size_t i = 0; i < tally.deviations.size() && i < step.findings.size(); ++i) {
    const model::Finding& finding = step.findings[i];
    if (finding.deviates && tally.deviations[i] > 0) known[finding.name] += tally.deviations[i];
  }
  return known;
}

/// The tally of a step of a chain; all zeros when the run ended before its first tile.
Tally tally_of(const Tally& all, std::size_t step) {
  if (step == 0) return all;
  return step <= all.then.size() ? all.then[step - 1] : Tally{};
}

void warn_of_step(const model::Step& step, const Tally& tally, Log& log) {
  for (std::size_t i = 0; i < tally.deviations.size() && i < step.findings.size(); ++i) {
    if (tally.deviations[i] == 0 || step.findings[i].warning.empty()) continue;
    log.warn(fmt::format("{} {}", tally.deviations[i], step.findings[i].warning));
  }
}

}  // namespace

std::vector<Deviations> deviations_of_steps(const StepSetup& setup, const Tally& tally) {
  const auto steps = model::steps_of(setup.step);
  std::vector<Deviations> all;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    all.push_back(all_deviations(i == 0 ? setup.deviations : setup.then_deviations, *steps[i], tally_of(tally, i)));
  }
  return all;
}

Deviations sum_of(const std::vector<Deviations>& of_steps) {
  Deviations all;
  for (const Deviations& of_step : of_steps) {
    for (const auto& [name, count] : of_step) all[name] += count;
  }
  return all;
}

std::vector<io::LateAttribute> late_attributes(const std::vector<Deviations>& of_steps) {
  std::vector<io::LateAttribute> late;
  for (std::size_t i = 0; i < of_steps.size(); ++i) {
    late.push_back({"outcrop.deviations", nlohmann::json(of_steps[i]).dump(), static_cast<int>(i)});
  }
  return late;
}

void warn_of_findings(const StepSetup& setup, const Tally& tally, Log& log) {
  const auto steps = model::steps_of(setup.step);
  for (std::size_t i = 0; i < steps.size(); ++i) warn_of_step(*steps[i], tally_of(tally, i), log);
}

}  // namespace outcrop::tools
