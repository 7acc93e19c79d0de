#include "pipeline/speedup_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/published_model_text.hpp"
#include "pipeline/text_file.hpp"

namespace outcrop::pipeline {
namespace {

/// A table of the file, whose keys are asked for one by one; one that nobody asked for is unknown.
class Section {
 public:
  Section(const toml::table& table, std::string file, std::string name)
      : table_(table), file_(std::move(file)), name_(std::move(name)) {}

  std::optional<std::string> text(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (auto value = node->value_exact<std::string>()) return value;
    refuse(*node, key, "must be text in quotes");
  }

  /// A finite number, of the file's own type or whole.
  std::optional<double> number(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) refuse(*node, key, "must be a number");
    return value;
  }

  std::int64_t count(const std::string& key) {
    const toml::node& node = needed(key);
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 1) refuse(node, key, "must be a whole number from 1 up");
    return *value;
  }

  std::string needed_text(const std::string& key) {
    needed(key);
    return *text(key);
  }

  double needed_number(const std::string& key) {
    needed(key);
    return *number(key);
  }

  void finish() const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::find(asked_.begin(), asked_.end(), word) == asked_.end()) {
        refuse_machine_key(place(node, word), word, asked_);
      }
    }
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& key, const std::string& what) const {
    fail(Errc::usage, place(node, key) + " " + what);
  }

  const toml::node& needed(const std::string& key) {
    if (const toml::node* node = find(key)) return *node;
    fail(Errc::usage, fmt::format("{} line {}: {} has no {}", file_, table_.source().begin.line, name_, key));
  }

 private:
  const toml::node* find(const std::string& key) {
    asked_.push_back(key);
    return table_.get(key);
  }

  std::string place(const toml::node& node, const std::string& key) const {
    return fmt::format("{} line {}: {}.{}", file_, node.source().begin.line, name_, key);
  }

  const toml::table& table_;
  std::string file_;
  std::string name_;
  std::vector<std::string> asked_;
};

/// The tables of [[name]].
std::vector<const toml::table*> tables_of(const toml::table& file, const std::string& name, const std::string& path) {
  std::vector<const toml::table*> tables;
  const toml::node* node = file.get(name);
  if (node == nullptr) return tables;
  const toml::array* array = node->as_array();
  if (array != nullptr) {
    for (const toml::node& entry : *array) tables.push_back(entry.as_table());
  }
  if (array == nullptr || std::find(tables.begin(), tables.end(), nullptr) != tables.end()) {
    fail(Errc::usage, fmt::format("{} line {}: {} are written as [[{}]]", path, node->source().begin.line, name, name));
  }
  return tables;
}

model::SpeedupCoefficients coefficients_of(const toml::table& table, const std::string& path) {
  Section section(table, path, "speedup");
  model::SpeedupCoefficients c;
  for (std::size_t i = 0; i < model::coefficient_names.size(); ++i) {
    model::coefficient(c, i) = section.needed_number(model::coefficient_names[i]);
  }
  section.finish();
  try {
    model::check_coefficients(c);
  } catch (Error& error) {
    throw error.within(fmt::format("{} line {}", path, table.source().begin.line));
  }
  return c;
}

std::optional<double> seconds(Section& section, const std::string& key) {
  const auto value = section.number(key);
  if (value && !(*value > 0)) section.refuse(section.needed(key), key, "must be a positive number of seconds");
  return value;
}

Scene scene_of(const toml::table& table, const std::string& path) {
  Section section(table, path, "scene");
  Scene scene;
  scene.observation.scene = section.needed_text("name");
  scene.observation.work = {section.count("K"), section.count("D"), section.count("P")};
  scene.observation.host_s = seconds(section, "t_cpu_s");
  scene.observation.device_s = seconds(section, "t_gpu_s");
  scene.label = section.text("regime");
  if (scene.label && *scene.label != "A" && *scene.label != "B" && *scene.label != "C") {
    section.refuse(section.needed("regime"), "regime", "can be \"A\", \"B\" or \"C\"");
  }
  section.finish();
  return scene;
}

model::StorageModifier storage_of(const toml::table& table, const std::string& path, const SpeedupModel& speedup) {
  Section section(table, path, "storage");
  const std::string name = section.needed_text("name");
  const std::string scene_name = section.needed_text("scene");
  const double host_s = section.needed_number("t_cpu_s");
  const double device_s = section.needed_number("t_gpu_s");
  const auto scene = std::find_if(speedup.scenes.begin(), speedup.scenes.end(),
                                  [&](const Scene& s) { return s.observation.scene == scene_name; });
  if (scene == speedup.scenes.end() || !scene->observation.host_s || !scene->observation.device_s) {
    section.refuse(section.needed("scene"), "scene",
                   fmt::format("is '{}'; it has to be the name of a scene with both times", scene_name));
  }
  section.finish();
  return model::make_storage_modifier(name, *scene->observation.host_s, *scene->observation.device_s, host_s, device_s);
}

toml::table table_of(const std::string& text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    fail(Errc::usage,
         fmt::format("reading the model file {} line {}: {}", path, error.source().begin.line, error.description()));
  }
}

/// Every digit that matters, and a point or an exponent, without which TOML takes a number for a whole one.
std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string scene_toml(const Scene& scene) {
  const model::Observation& o = scene.observation;
  std::string text = fmt::format("\n[[scene]]\nname = {}\nK = {}\nD = {}\nP = {}\n", quoted(o.scene), o.work.pixels,
                                 o.work.rows, o.work.columns);
  if (o.host_s) text += fmt::format("t_cpu_s = {}\n", number_text(*o.host_s));
  if (o.device_s) text += fmt::format("t_gpu_s = {}\n", number_text(*o.device_s));
  if (scene.label) text += fmt::format("regime = {}\n", quoted(*scene.label));
  return text;
}

}  // namespace

std::vector<model::Observation> SpeedupModel::observations() const {
  std::vector<model::Observation> all;
  for (const Scene& scene : scenes) all.push_back(scene.observation);
  return all;
}

SpeedupModel parse_speedup_model(const std::string& text, const std::string& name) {
  const toml::table file = table_of(text, name);
  for (const auto& [key, node] : file) {
    check_machine_section(fmt::format("{} line {}", name, node.source().begin.line), std::string(key.str()));
  }
  SpeedupModel speedup;
  speedup.title = file["title"].value_or(name);
  if (const toml::node* node = file.get("speedup")) {
    if (!node->is_table()) {
      fail(Errc::usage, fmt::format("{} line {}: speedup is written as [speedup]", name, node->source().begin.line));
    }
    speedup.coefficients = coefficients_of(*node->as_table(), name);
  }
  for (const toml::table* table : tables_of(file, "scene", name)) speedup.scenes.push_back(scene_of(*table, name));
  for (const toml::table* table : tables_of(file, "storage", name)) {
    speedup.storages.push_back(storage_of(*table, name, speedup));
  }
  return speedup;
}

SpeedupModel read_speedup_model(const std::string& path) {
  return parse_speedup_model(read_text_file("--machine", path), path);
}

SpeedupModel published_speedup_model() {
  return parse_speedup_model(published_model_text, "configs/machines/rtx5080-published.toml");
}

std::string speedup_toml(const SpeedupModel& speedup, const std::vector<std::string>& remarks) {
  std::string text;
  for (const auto& remark : remarks) text += "# " + remark + "\n";
  text += fmt::format("title = {}\n", quoted(speedup.title));
  if (speedup.coefficients) {
    text += "\n[speedup]\n";
    for (std::size_t i = 0; i < model::coefficient_names.size(); ++i) {
      text += fmt::format("{} = {}\n", model::coefficient_names[i],
                          number_text(model::coefficient(*speedup.coefficients, i)));
    }
  }
  for (const Scene& scene : speedup.scenes) text += scene_toml(scene);
  return text;
}

}  // namespace outcrop::pipeline
