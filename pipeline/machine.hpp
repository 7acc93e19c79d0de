// Machine: the rates a plan predicts with.
#pragma once

#include <string>
#include <vector>

namespace outcrop::pipeline {

struct Machine {
  double read_bytes_per_s = 0;  ///< all readers together
  double read_latency_s = 0;    ///< of one request; may be 0, and absent in the file
  double write_bytes_per_s = 0;
  double decode_plain_bytes_per_s = 0;   ///< one thread, bytes decoded
  double decode_packed_bytes_per_s = 0;  ///< one thread, bytes decoded
  double flops_per_s = 0;                ///< one thread
  double start_s = 0;
};

/// The machine file that was built in: configs/machines/reference.toml.
Machine reference_machine();

/// Reads a machine file. Throws Errc::usage as parse_machine().
Machine read_machine(const std::string& path);

/// Reads the section [rates]; the others of a machine file have readers of their own. Throws Errc::usage naming the
/// file and the key that is missing, unknown or not a positive number.
Machine parse_machine(const std::string& text, const std::string& name);

/// Throws Errc::usage when a machine file has no section of that name; `place` says where it was found.
void check_machine_section(const std::string& place, const std::string& section);

/// Throws Errc::usage: `place` ("m.toml line 4: scene.Q") is no key; names the nearest of the known ones.
[[noreturn]] void refuse_machine_key(const std::string& place, const std::string& key,
                                     const std::vector<std::string>& known);

}  // namespace outcrop::pipeline
