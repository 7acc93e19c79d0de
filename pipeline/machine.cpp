#include "pipeline/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/config.hpp"
#include "pipeline/reference_machine_text.hpp"

namespace outcrop::pipeline {
namespace {

struct RateKey {
  const char* name;
  double Machine::*field;
  bool needed;
  bool may_be_zero;
  const char* meaning;
};

constexpr std::array<RateKey, 16> rate_keys = {{
    {"read_bytes_per_s", &Machine::read_bytes_per_s, true, false, "all readers together"},
    {"read_latency_s", &Machine::read_latency_s, false, true, "of one request"},
    {"read_cpu_bytes_per_s", &Machine::read_cpu_bytes_per_s, false, false, "a second of processor time"},
    {"write_bytes_per_s", &Machine::write_bytes_per_s, true, false, "with fsync"},
    {"write_cpu_bytes_per_s", &Machine::write_cpu_bytes_per_s, false, false, "a second of processor time"},
    {"decode_plain_bytes_per_s", &Machine::decode_plain_bytes_per_s, true, false,
     "uncompressed chunks, one thread, bytes decoded"},
    {"decode_packed_bytes_per_s", &Machine::decode_packed_bytes_per_s, true, false, "any compression"},
    {"decode_lzf_bytes_per_s", &Machine::decode_lzf_bytes_per_s, false, false, "lzf"},
    {"decode_lzf_shuffle_bytes_per_s", &Machine::decode_lzf_shuffle_bytes_per_s, false, false, "lzf and shuffle"},
    {"decode_gzip_bytes_per_s", &Machine::decode_gzip_bytes_per_s, false, false, "gzip"},
    {"decode_gzip_shuffle_bytes_per_s", &Machine::decode_gzip_shuffle_bytes_per_s, false, false, "gzip and shuffle"},
    {"flops_per_s", &Machine::flops_per_s, true, false, "kernels that have no [[kernel]] below, one thread"},
    {"memory_read_bytes_per_s", &Machine::memory_read_bytes_per_s, false, false, "all threads together"},
    {"memory_copy_bytes_per_s", &Machine::memory_copy_bytes_per_s, false, false, "all threads together, bytes copied"},
    {"new_memory_bytes_per_s", &Machine::new_memory_bytes_per_s, false, false, "touched for the first time"},
    {"start_s", &Machine::start_s, true, false, "opening, indexing, planning, ending"},
}};

const std::vector<std::string>& known_rates() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const RateKey& key : rate_keys) all.emplace_back(key.name);
    return all;
  }();
  return names;
}

void read_rate(Machine& machine, const RateKey& key, const toml::node* node, const std::string& name) {
  if (node == nullptr && !key.needed) return;
  const double value = node != nullptr && node->is_number() ? node->value_or(-1.0) : -1.0;
  if (std::isfinite(value) && (value > 0 || (key.may_be_zero && value == 0))) {
    machine.*key.field = value;
  } else if (key.may_be_zero) {
    fail(Errc::usage, fmt::format("the machine file {} needs rates.{} to be 0 or more seconds", name, key.name));
  } else {
    fail(Errc::usage, fmt::format("the machine file {} needs a positive rates.{}", name, key.name));
  }
}

std::string place_of(const std::string& name, const toml::node& node, const std::string& key) {
  return fmt::format("{} line {}: {}", name, node.source().begin.line, key);
}

void read_rates(Machine& machine, const toml::table& file, const std::string& name) {
  const toml::table* rates = file["rates"].as_table();
  for (const RateKey& key : rate_keys) {
    read_rate(machine, key, rates != nullptr ? rates->get(key.name) : nullptr, name);
  }
  if (rates == nullptr) return;
  for (const auto& [key, node] : *rates) {
    const std::string word(key.str());
    if (std::find(known_rates().begin(), known_rates().end(), word) == known_rates().end()) {
      refuse_machine_key(place_of(name, node, "rates." + word), word, known_rates());
    }
  }
}

KernelRate kernel_of(const toml::table& table, const std::string& name) {
  static const std::vector<std::string> known = {"step", "solver", "pixel_s", "flops_per_s"};
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      refuse_machine_key(place_of(name, node, "kernel." + word), word, known);
    }
  }
  const auto refuse = [&](const char* what) { fail(Errc::usage, place_of(name, table, "kernel ") + what); };
  const auto step = table["step"].value_exact<std::string>();
  if (!step) refuse("needs its step, for example step = \"invert-network\"");
  const std::string solver = table["solver"].value_or(std::string("structured"));
  if (solver != "structured" && solver != "batched") refuse("needs solver = \"structured\" or \"batched\"");
  KernelRate rate{*step, solver == "batched" ? model::Solver::batched : model::Solver::structured,
                  table["pixel_s"].value_or(-1.0), table["flops_per_s"].value_or(-1.0)};
  if (!(rate.pixel_s >= 0) || !std::isfinite(rate.pixel_s)) refuse("needs pixel_s, 0 or more seconds");
  if (!(rate.flops_per_s > 0) || !std::isfinite(rate.flops_per_s)) refuse("needs a positive flops_per_s");
  return rate;
}

void read_kernels(Machine& machine, const toml::table& file, const std::string& name) {
  const toml::node* node = file.get("kernel");
  if (node == nullptr) return;
  const toml::array* kernels = node->as_array();
  if (kernels == nullptr) fail(Errc::usage, place_of(name, *node, "kernels are written as [[kernel]]"));
  for (const toml::node& kernel : *kernels) {
    if (!kernel.is_table()) fail(Errc::usage, place_of(name, kernel, "kernels are written as [[kernel]]"));
    machine.kernels.push_back(kernel_of(*kernel.as_table(), name));
  }
}

const char* name_of(model::Solver solver) { return solver == model::Solver::batched ? "batched" : "structured"; }

/// Four digits: no rate is known better.
std::string number_text(double value) {
  std::string text = fmt::format("{:.4g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

double Machine::solve_s(const model::Step& step) const {
  double seconds = 0;
  for (const model::Step* part : model::steps_of(step)) {
    const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const KernelRate& k) {
      return k.step == part->name && k.solver == part->solver;
    });
    seconds +=
        kernel == kernels.end() ? part->flops() / flops_per_s : kernel->pixel_s + part->flops() / kernel->flops_per_s;
  }
  return seconds;
}

Machine parse_machine(const std::string& text, const std::string& name) {
  toml::table file;
  try {
    file = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    fail(Errc::usage,
         fmt::format("reading the machine file {} line {}: {}", name, error.source().begin.line, error.description()));
  }
  for (const auto& [key, node] : file) {
    check_machine_section(fmt::format("{} line {}", name, node.source().begin.line), std::string(key.str()));
  }
  Machine machine;
  read_rates(machine, file, name);
  read_kernels(machine, file, name);
  return machine;
}

std::string machine_toml(const Machine& machine, const std::vector<std::string>& remarks) {
  std::string text;
  for (const auto& remark : remarks) text += "# " + remark + "\n";
  text += "[rates]\n";
  for (const RateKey& key : rate_keys) {
    const double value = machine.*key.field;
    if (value == 0 && !key.needed) continue;
    text += fmt::format("{} = {}  # {}\n", key.name, number_text(value), key.meaning);
  }
  for (const KernelRate& kernel : machine.kernels) {
    text += fmt::format("\n[[kernel]]\nstep = \"{}\"\nsolver = \"{}\"\npixel_s = {}\nflops_per_s = {}\n", kernel.step,
                        name_of(kernel.solver), number_text(kernel.pixel_s), number_text(kernel.flops_per_s));
  }
  return text;
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
  static const std::vector<std::string> sections = {"title", "rates", "kernel", "speedup", "scene", "storage"};
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
