#include "pipeline/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "pipeline/config.hpp"
#include "pipeline/reference_machine_text.hpp"

namespace outcrop::pipeline {

Machine parse_machine(const std::string& text, const std::string& name) {
  Machine machine;
  const std::map<std::string, double*> fields = {{"read_bytes_per_s", &machine.read_bytes_per_s},
                                                 {"write_bytes_per_s", &machine.write_bytes_per_s},
                                                 {"decode_plain_bytes_per_s", &machine.decode_plain_bytes_per_s},
                                                 {"decode_packed_bytes_per_s", &machine.decode_packed_bytes_per_s},
                                                 {"flops_per_s", &machine.flops_per_s},
                                                 {"start_s", &machine.start_s}};
  toml::table table;
  try {
    table = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    fail(Errc::usage,
         fmt::format("reading the machine file {} line {}: {}", name, error.source().begin.line, error.description()));
  }
  for (const auto& [key, node] : table) {
    check_machine_section(fmt::format("{} line {}", name, node.source().begin.line), std::string(key.str()));
  }
  for (const auto& [key, field] : fields) {
    *field = table["rates"][key].value_or(0.0);
    if (!(*field > 0)) fail(Errc::usage, fmt::format("the machine file {} needs a positive rates.{}", name, key));
  }
  if (const auto latency = table["rates"]["read_latency_s"]) machine.read_latency_s = latency.value_or(-1.0);
  if (!(machine.read_latency_s >= 0) || !std::isfinite(machine.read_latency_s)) {
    fail(Errc::usage, fmt::format("the machine file {} needs rates.read_latency_s to be 0 or more seconds", name));
  }
  std::vector<std::string> known = {"read_latency_s"};
  for (const auto& [key, field] : fields) known.push_back(key);
  for (const auto& [key, node] : *table["rates"].as_table()) {
    const std::string word(key.str());
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      refuse_machine_key(fmt::format("{} line {}: rates.{}", name, node.source().begin.line, word), word, known);
    }
  }
  return machine;
}

Machine read_machine(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) fail(Errc::usage, fmt::format("machine.file {}: the file cannot be read", path));
  return parse_machine(text.str(), path);
}

Machine reference_machine() { return parse_machine(reference_machine_text, "configs/machines/reference.toml"); }

void check_machine_section(const std::string& place, const std::string& section) {
  static const std::vector<std::string> sections = {"title", "rates", "speedup", "scene", "storage"};
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    refuse_machine_key(place + ": " + section, section, sections);
  }
}

void refuse_machine_key(const std::string& place, const std::string& key, const std::vector<std::string>& known) {
  const auto near = nearest(key, known);
  fail(Errc::usage,
       fmt::format("{} is no key of a machine file; {}", place,
                   near ? "the nearest is " + *near : fmt::format("there are {}", fmt::join(known, ", "))));
}

}  // namespace outcrop::pipeline
