#include "pipeline/config.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "core/units.hpp"

namespace outcrop::pipeline {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double most_gib = gib;  // 2^60 bytes: far more than there is, and no overflow in sums

/// One key's value with its place, for messages.
struct Value {
  const toml::node& node;
  std::string where;  ///< "low-memory.toml line 4: memory.cap"

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(Errc::usage, where + " " + fmt::format(format, std::forward<Args>(args)...));
  }

  std::string text() const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    refuse("must be text in quotes");
  }

  std::int64_t count(std::int64_t highest = std::numeric_limits<std::int64_t>::max()) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > highest)
      refuse("must be a whole number from 0 (chosen by the plan) to {}", highest);
    return *value;
  }

  std::int64_t nth() const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0) refuse("must be the number of the call that fails, from 1, or 0 for none");
    return *value;
  }

  double rate() const {
    const auto value = node.value<double>();
    if (!value || !(*value >= 0) || !std::isfinite(*value)) refuse("must be a number from 0 (as fast as this machine)");
    return *value;
  }

  bool truth() const {
    if (const auto value = node.value_exact<bool>()) return *value;
    refuse("must be true or false");
  }

  std::int64_t bytes() const {
    if (const auto value = node.value_exact<std::string>()) {
      if (*value == "auto") return 0;
      if (const auto parsed = parse_bytes(*value, gib)) return *parsed;
    } else if (const auto number = node.value<double>(); number && *number > 0 && *number < most_gib) {
      return static_cast<std::int64_t>(*number * gib);
    }
    refuse("must be a size as \"2G\" or \"512M\", a number in GB, or \"auto\"");
  }
};

using Setter = std::function<void(Config&, const Value&)>;

Runner runner_of(const Value& value) {
  const std::string text = value.text();
  if (text == "graph") return Runner::graph;
  if (text == "serial") return Runner::serial;
  value.refuse("is \"{}\"; it can be \"graph\" or \"serial\"", text);
}

std::optional<bool> host_assembles(const Value& value) {
  const std::string text = value.text();
  if (text == "auto") return std::nullopt;
  if (text == "host") return true;
  if (text == "device") return false;
  value.refuse("is \"{}\"; it can be \"auto\", \"device\" or \"host\"", text);
}

constexpr std::int64_t most_threads = 4096;

constexpr std::int64_t most_batch_pixels = 1 << 24;

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> table = {
      {"memory.cap", [](Config& c, const Value& v) { c.memory_bytes = v.bytes(); }},
      {"run.threads", [](Config& c, const Value& v) { c.threads = static_cast<int>(v.count(most_threads)); }},
      {"run.runner", [](Config& c, const Value& v) { c.runner = runner_of(v); }},
      {"tiles.rows", [](Config& c, const Value& v) { c.tile_rows = v.count(); }},
      {"tiles.cols", [](Config& c, const Value& v) { c.tile_cols = v.count(); }},
      {"tiles.slots", [](Config& c, const Value& v) { c.slots = static_cast<int>(v.count(most_threads)); }},
      {"storage.readers", [](Config& c, const Value& v) { c.readers = static_cast<int>(v.count(most_threads)); }},
      {"storage.writers", [](Config& c, const Value& v) { c.writers = static_cast<int>(v.count(most_threads)); }},
      {"device.name", [](Config& c, const Value& v) { c.device = v.text(); }},
      {"machine.file", [](Config& c, const Value& v) { c.machine_file = v.text(); }},
      {"device.solver", [](Config& c, const Value& v) { c.solver = v.text(); }},
      {"device.queues", [](Config& c, const Value& v) { c.queues = static_cast<int>(v.count(most_threads)); }},
      {"device.assembly", [](Config& c, const Value& v) { c.host_assembles = host_assembles(v); }},
      {"device.batch", [](Config& c, const Value& v) { c.batch_pixels = v.count(most_batch_pixels); }},
      {"sim.memory",
       [](Config& c, const Value& v) {
         if (const auto bytes = v.bytes(); bytes > 0) c.sim.memory_bytes = bytes;  // else as much as it has by itself
       }},
      {"sim.copy_rate", [](Config& c, const Value& v) { c.sim.copy_bytes_per_s = v.rate(); }},
      {"sim.launch_latency", [](Config& c, const Value& v) { c.sim.launch_s = v.rate(); }},
      {"sim.compute_rate", [](Config& c, const Value& v) { c.sim.flops_per_s = v.rate(); }},
      {"sim.start_up", [](Config& c, const Value& v) { c.sim.start_s = v.rate(); }},
      {"sim.candidate", [](Config& c, const Value& v) { c.sim.candidate = v.truth(); }},
      {"sim.fail_allocation", [](Config& c, const Value& v) { c.sim.fail_allocation = v.nth(); }},
      {"sim.fail_pinned", [](Config& c, const Value& v) { c.sim.fail_pinned = v.nth(); }},
      {"sim.fail_copy", [](Config& c, const Value& v) { c.sim.fail_copy = v.nth(); }},
      {"sim.fail_kernel", [](Config& c, const Value& v) { c.sim.fail_kernel = v.nth(); }},
      {"sim.fail_queue", [](Config& c, const Value& v) { c.sim.fail_queue = v.nth(); }},
  };
  return table;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const auto& [key, setter] : setters()) keys.push_back(key);
  return keys;
}

[[noreturn]] void refuse_unknown(const std::string& where, const std::string& key) {
  const auto near = nearest(key, known_keys());
  fail(Errc::usage, fmt::format("{} is no key of outcrop's configuration{}", where,
                                near ? fmt::format("; the nearest is {}", *near)
                                     : "; the sections are memory, run, tiles, storage, device, machine and sim"));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(3, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

Config parse_config(const std::string& text, const std::string& name) {
  Config config;
  toml::table table;
  try {
    table = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    fail(Errc::usage,
         fmt::format("reading the configuration {} line {}: {}", name, error.source().begin.line, error.description()));
  }
  for (const auto& [section, node] : table) {
    const auto* keys = node.as_table();
    const std::string section_name(section.str());
    if (keys == nullptr) {
      refuse_unknown(fmt::format("{} line {}: {}", name, node.source().begin.line, section_name), section_name);
    }
    for (const auto& [key, value] : *keys) {
      const std::string full = section_name + "." + std::string(key.str());
      const std::string where = fmt::format("{} line {}: {}", name, value.source().begin.line, full);
      const auto setter = setters().find(full);
      if (setter == setters().end()) refuse_unknown(where, full);
      setter->second(config, Value{value, where});
    }
  }
  return config;
}

Config read_config(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) fail(Errc::usage, fmt::format("--config {}: the file cannot be read", path));
  return parse_config(text.str(), path);
}

void parse_tile(const std::string& text, Config& config) {
  std::istringstream stream(text);
  char cross = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  if (!(stream >> rows >> cross >> cols) || (cross != 'x' && cross != 'X') || rows <= 0 || cols <= 0 ||
      stream.peek() != std::istringstream::traits_type::eof()) {
    fail(Errc::usage, fmt::format("--tile {}: a tile is ROWSxCOLS, for example 64x128", text));
  }
  config.tile_rows = rows;
  config.tile_cols = cols;
}

}  // namespace outcrop::pipeline
