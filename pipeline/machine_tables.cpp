// Tables of a machine file.
#include "pipeline/machine_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::pipeline {
namespace {

struct DeviceKey {
  const char* name;
  double DeviceRates::*field;
  bool may_be_zero;
  const char* meaning;
};

constexpr std::array<DeviceKey, 5> device_keys = {{
    {"start_s", &DeviceRates::start_s, true, "until it can be used"},
    {"copy_in_bytes_per_s", &DeviceRates::copy_in_bytes_per_s, false, "to the device"},
    {"copy_out_bytes_per_s", &DeviceRates::copy_out_bytes_per_s, false, "from it"},
    {"launch_s", &DeviceRates::launch_s, true, "before each kernel"},
    {"assemble_bytes_per_s", &DeviceRates::assemble_bytes_per_s, false,
     "design matrices that the host forms for it, all threads together"},
}};

std::vector<std::string> known_device_keys() {
  std::vector<std::string> names = {"name", "kernel"};
  for (const DeviceKey& key : device_keys) names.emplace_back(key.name);
  return names;
}

void refuse_unknown(const toml::table& table, const std::string& section, const std::vector<std::string>& known,
                    const std::string& file) {
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    refuse_machine_key(place_of(file, node, fmt::format("{}.{}", section, word)), word, known);
  }
}

KernelRate kernel_of(const toml::table& table, bool of_device, const std::string& file) {
  std::vector<std::string> known = {"step", "solver", "pixel_s", "sample_s", "flops_per_s"};
  if (of_device) known.emplace_back("assembly");
  refuse_unknown(table, "kernel", known, file);
  const auto refuse = [&](const char* what) { fail(Errc::usage, place_of(file, table, "kernel ") + what); };
  const auto step = table["step"].value_exact<std::string>();
  if (!step) refuse("needs its step, for example step = \"invert-network\"");
  const auto solver = model::solver_of(table["solver"].value_or(std::string(name_of(model::Solver::structured))));
  if (!solver) refuse("needs solver = \"structured\" or \"batched\"");
  const std::string assembly = table["assembly"].value_or(std::string("device"));
  if (assembly != "device" && assembly != "host") refuse("needs assembly = \"device\" or \"host\"");
  KernelRate rate{*step,
                  *solver,
                  table["pixel_s"].value_or(-1.0),
                  table["flops_per_s"].value_or(-1.0),
                  assembly == "host",
                  table["sample_s"].value_or(table.contains("sample_s") ? -1.0 : 0.0)};
  if (!(rate.pixel_s >= 0) || !std::isfinite(rate.pixel_s)) refuse("needs pixel_s, 0 or more seconds");
  if (!(rate.sample_s >= 0) || !std::isfinite(rate.sample_s)) refuse("needs sample_s to be 0 or more seconds");
  if (!(rate.flops_per_s > 0) || !std::isfinite(rate.flops_per_s)) refuse("needs a positive flops_per_s");
  return rate;
}

void read_number(DeviceRates& device, const DeviceKey& key, const toml::table& table, const std::string& file) {
  const toml::node* const node = table.get(key.name);
  if (node == nullptr) return;
  const double value = node->is_number() ? node->value_or(-1.0) : -1.0;
  if (!std::isfinite(value) || !(value > 0 || (key.may_be_zero && value == 0))) {
    fail(Errc::usage, fmt::format("{} must be a {}", place_of(file, *node, std::string("device.") + key.name),
                                  key.may_be_zero ? "number from 0" : "positive number"));
  }
  device.*key.field = value;
}

DeviceRates device_of(const toml::table& table, const std::string& file) {
  refuse_unknown(table, "device", known_device_keys(), file);
  const auto name = table["name"].value_exact<std::string>();
  if (!name || name->empty()) {
    fail(Errc::usage, place_of(file, table, "device needs its name, for example name = \"cuda:0 NVIDIA H100\""));
  }
  DeviceRates device;
  device.name = *name;
  for (const DeviceKey& key : device_keys) read_number(device, key, table, file);
  device.kernels = read_kernels(table, file);
  return device;
}

/// The tables of an array, each made by `make`; none when the key is absent.
template <class Value, class Make>
std::vector<Value> read_tables(const toml::table& parent, const char* key, const std::string& file, const Make& make) {
  std::vector<Value> values;
  const toml::node* const node = parent.get(key);
  if (node == nullptr) return values;
  const auto refuse = [&](const toml::node& at) {
    fail(Errc::usage, place_of(file, at, fmt::format("{}s are written as [[{}]]", key, key)));
  };
  const toml::array* const tables = node->as_array();
  if (tables == nullptr) refuse(*node);
  for (const toml::node& table : *tables) {
    if (!table.is_table()) refuse(table);
    values.push_back(make(*table.as_table()));
  }
  return values;
}

/// As a string of TOML.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string place_of(const std::string& file, const toml::node& node, const std::string& key) {
  return fmt::format("{} line {}: {}", file, node.source().begin.line, key);
}

std::vector<KernelRate> read_kernels(const toml::table& parent, const std::string& file) {
  const bool of_device = parent.contains("name");
  return read_tables<KernelRate>(parent, "kernel", file,
                                 [&](const toml::table& table) { return kernel_of(table, of_device, file); });
}

std::vector<DeviceRates> read_devices(const toml::table& parent, const std::string& file) {
  return read_tables<DeviceRates>(parent, "device", file,
                                  [&](const toml::table& table) { return device_of(table, file); });
}

std::string number_text(double value) {
  std::string text = fmt::format("{:.4g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string kernels_toml(const std::vector<KernelRate>& kernels, const std::string& header) {
  std::string text;
  for (const KernelRate& kernel : kernels) {
    text += fmt::format("\n[[{}]]\nstep = {}\nsolver = \"{}\"\npixel_s = {}\nflops_per_s = {}\n", header,
                        quoted(kernel.step), name_of(kernel.solver), number_text(kernel.pixel_s),
                        number_text(kernel.flops_per_s));
    if (kernel.sample_s > 0) text += fmt::format("sample_s = {}\n", number_text(kernel.sample_s));
    if (kernel.host_assembles) text += "assembly = \"host\"\n";
  }
  return text;
}

std::string devices_toml(const std::vector<DeviceRates>& devices) {
  std::string text;
  for (const DeviceRates& device : devices) {
    text += fmt::format("\n[[device]]\nname = {}\n", quoted(device.name));
    for (const DeviceKey& key : device_keys) {
      const double value = device.*key.field;
      if (value > 0) text += fmt::format("{} = {}  # {}\n", key.name, number_text(value), key.meaning);
    }
    text += kernels_toml(device.kernels, "device.kernel");
  }
  return text;
}

}  // namespace outcrop::pipeline
