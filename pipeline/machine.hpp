// Machine: the rates a plan predicts with.
#pragma once

#include <string>

namespace outcrop::pipeline {

struct Machine {
  double read_bytes_per_s = 0;
  double write_bytes_per_s = 0;
  double decode_plain_bytes_per_s = 0;   ///< one thread, bytes decoded
  double decode_packed_bytes_per_s = 0;  ///< one thread, bytes decoded
  double flops_per_s = 0;                ///< one thread
  double start_s = 0;
};

/// The machine file that was built in: configs/machines/reference.toml.
Machine reference_machine();

/// Throws Errc::usage naming the file and the key that is missing, unknown or not a positive number.
Machine parse_machine(const std::string& text, const std::string& name);

}  // namespace outcrop::pipeline
