#include "pipeline/machine.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <map>

#include "core/error.hpp"
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
  for (const auto& [key, field] : fields) {
    *field = table["rates"][key].value_or(0.0);
    if (!(*field > 0)) fail(Errc::usage, fmt::format("the machine file {} needs a positive rates.{}", name, key));
  }
  if (const auto* rates = table["rates"].as_table(); rates->size() != fields.size()) {
    for (const auto& [key, value] : *rates) {
      if (!fields.contains(std::string(key.str()))) {
        fail(Errc::usage, fmt::format("the machine file {} has an unknown key rates.{}", name, key.str()));
      }
    }
  }
  return machine;
}

Machine reference_machine() { return parse_machine(reference_machine_text, "configs/machines/reference.toml"); }

}  // namespace outcrop::pipeline
