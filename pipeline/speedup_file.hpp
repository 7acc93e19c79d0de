// The speedup model in a machine file: its coefficients, the scenes they come from, and what other storage does to
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cost/published.hpp"
#include "model/cost/speedup.hpp"
#include "model/cost/speedup_fit.hpp"

namespace outcrop::pipeline {

/// A measured scene and the regime it was said to be in.
struct Scene {
  model::Observation observation;
  std::optional<std::string> label;  ///< "A", "B" or "C"
};

struct SpeedupModel {
  std::string title;
  std::optional<model::SpeedupCoefficients> coefficients;  ///< [speedup]; absent in a file that only holds scenes
  std::vector<Scene> scenes;                               ///< [[scene]]
  std::vector<model::StorageModifier> storages;            ///< [[storage]], each the ratio to the scene it names

  std::vector<model::Observation> observations() const;
};

/// Throws Errc::usage naming the file, the line, and for an unknown key the nearest known one.
SpeedupModel read_speedup_model(const std::string& path);

/// The same from text; `name` stands for the file in messages.
SpeedupModel parse_speedup_model(const std::string& text, const std::string& name);

/// The file that was built in: configs/machines/rtx5080-published.toml.
SpeedupModel published_speedup_model();

/// The text of a file that holds the coefficients and scenes, each line of `remarks` as a comment before them.
std::string speedup_toml(const SpeedupModel& speedup, const std::vector<std::string>& remarks);

}  // namespace outcrop::pipeline
