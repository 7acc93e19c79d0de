// Machine: the rates a plan predicts with.
#pragma once

#include <string>
#include <vector>

#include "model/step.hpp"
#include "pipeline/device_rates.hpp"
#include "pipeline/kernel_rate.hpp"

namespace outcrop::pipeline {

/// Seconds that an amount takes at a rate; 0 where the rate is not known.
inline double seconds_at(double rate, double amount) { return rate > 0 ? amount / rate : 0; }

/// Rates of one thread unless said. Those that a file may leave out are 0 then: the coarser ones stand in for them, or
/// the term is left out.
struct Machine {
  double read_bytes_per_s = 0;  ///< all readers together
  double read_latency_s = 0;    ///< of one request
  double write_bytes_per_s = 0;
  double decode_plain_bytes_per_s = 0;   ///< bytes decoded
  double decode_packed_bytes_per_s = 0;  ///< bytes decoded, of any compression
  double flops_per_s = 0;                ///< of any kernel
  double start_s = 0;

  double read_cpu_bytes_per_s = 0;   ///< bytes read a second of processor time
  double read_request_cpu_s = 0;     ///< processor time of one request
  double write_cpu_bytes_per_s = 0;  ///< bytes written a second of processor time
  double decode_lzf_bytes_per_s = 0;
  double decode_lzf_shuffle_bytes_per_s = 0;
  double decode_gzip_bytes_per_s = 0;
  double decode_gzip_shuffle_bytes_per_s = 0;
  double decode_lzf_stored_bytes_per_s = 0;  ///< bytes stored, which take their time on top of the bytes decoded
  double decode_lzf_shuffle_stored_bytes_per_s = 0;
  double decode_gzip_stored_bytes_per_s = 0;
  double decode_gzip_shuffle_stored_bytes_per_s = 0;
  double memory_read_bytes_per_s = 0;  ///< all threads together
  double memory_copy_bytes_per_s = 0;  ///< all threads together, bytes copied
  double new_memory_bytes_per_s = 0;   ///< memory touched for the first time

  std::vector<KernelRate> kernels;
  std::vector<DeviceRates> devices;

  /// Seconds a pixel of one thread; those of both steps for a chain.
  double solve_s(const model::Step& step) const;
};

/// The machine file that was built in: configs/machines/reference.toml.
Machine reference_machine();

/// Reads a machine file. Throws Errc::usage as parse_machine().
Machine read_machine(const std::string& path);

/// Reads the sections [rates], [[kernel]] and [[device]]; the others of a machine file have readers of their own.
/// Throws Errc::usage naming the file and the key that is missing, unknown or not a positive number.
Machine parse_machine(const std::string& text, const std::string& name);

/// The text of a file that holds the machine, each line of `remarks` as a comment before it.
std::string machine_toml(const Machine& machine, const std::vector<std::string>& remarks);

/// Tells machines with other rates apart: 16 hexadecimal digits, of the rates as a file holds them.
std::string rates_id(const Machine& machine);

/// Throws Errc::usage when a machine file has no section of that name; `place` says where it was found.
void check_machine_section(const std::string& place, const std::string& section);

/// Throws Errc::usage: `place` ("m.toml line 4: scene.Q") is no key; names the nearest of the known ones.
[[noreturn]] void refuse_machine_key(const std::string& place, const std::string& key,
                                     const std::vector<std::string>& known);

}  // namespace outcrop::pipeline
