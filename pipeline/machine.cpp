#include "pipeline/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/config.hpp"
#include "pipeline/machine_tables.hpp"
#include "pipeline/reference_machine_text.hpp"
#include "pipeline/text_file.hpp"

namespace outcrop::pipeline {
namespace {

struct RateKey {
  const char* name;
  double Machine::*field;
  bool needed;
  bool may_be_zero;
  const char* meaning;
};

constexpr std::array<RateKey, 21> rate_keys = {{
    {"read_bytes_per_s", &Machine::read_bytes_per_s, true, false, "all readers together"},
    {"read_latency_s", &Machine::read_latency_s, false, true, "of one request"},
    {"read_cpu_bytes_per_s", &Machine::read_cpu_bytes_per_s, false, false,
     "rows in one piece, a second of processor time"},
    {"read_request_cpu_s", &Machine::read_request_cpu_s, false, true, "processor time of one request"},
    {"write_bytes_per_s", &Machine::write_bytes_per_s, true, false, "with fsync"},
    {"write_cpu_bytes_per_s", &Machine::write_cpu_bytes_per_s, false, false, "a second of processor time"},
    {"decode_plain_bytes_per_s", &Machine::decode_plain_bytes_per_s, true, false,
     "uncompressed chunks, one thread, bytes read and decoded"},
    {"decode_packed_bytes_per_s", &Machine::decode_packed_bytes_per_s, true, false, "any compression"},
    {"decode_lzf_bytes_per_s", &Machine::decode_lzf_bytes_per_s, false, false, "lzf"},
    {"decode_lzf_shuffle_bytes_per_s", &Machine::decode_lzf_shuffle_bytes_per_s, false, false, "lzf and shuffle"},
    {"decode_gzip_bytes_per_s", &Machine::decode_gzip_bytes_per_s, false, false, "gzip"},
    {"decode_gzip_shuffle_bytes_per_s", &Machine::decode_gzip_shuffle_bytes_per_s, false, false, "gzip and shuffle"},
    {"decode_lzf_stored_bytes_per_s", &Machine::decode_lzf_stored_bytes_per_s, false, false,
     "bytes stored, on top of the bytes decoded"},
    {"decode_lzf_shuffle_stored_bytes_per_s", &Machine::decode_lzf_shuffle_stored_bytes_per_s, false, false,
     "lzf and shuffle"},
    {"decode_gzip_stored_bytes_per_s", &Machine::decode_gzip_stored_bytes_per_s, false, false, "gzip"},
    {"decode_gzip_shuffle_stored_bytes_per_s", &Machine::decode_gzip_shuffle_stored_bytes_per_s, false, false,
     "gzip and shuffle"},
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

}  // namespace

double Machine::solve_s(const model::Step& step) const {
  double seconds = 0;
  for (const model::Step* part : model::steps_of(step)) {
    const KernelRate* const kernel = find_kernel(kernels, *part);
    seconds += kernel == nullptr ? part->flops() / flops_per_s : kernel->seconds(*part);
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
  machine.kernels = read_kernels(file, name);
  machine.devices = read_devices(file, name);
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
  text += kernels_toml(machine.kernels, "kernel") + devices_toml(machine.devices);
  return text;
}

std::string rates_id(const Machine& machine) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : machine_toml(machine, {})) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

Machine read_machine(const std::string& path) { return parse_machine(read_text_file("machine.file", path), path); }

Machine reference_machine() { return parse_machine(reference_machine_text, "configs/machines/reference.toml"); }

void check_machine_section(const std::string& place, const std::string& section) {
  static const std::vector<std::string> sections = {"title",   "rates", "kernel", "device",
                                                    "speedup", "scene", "storage"};
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
