// Config: how a run uses the machine. Never what it computes: device, solver, assembly and batch, or the machine file
// that chooses them, change the rounding of a result, and no other key changes a bit; but the faults of the simulated
// device end the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace outcrop::pipeline {

enum class Runner { graph, serial };

/// The simulated device of --device sim: what it is like, and which of its calls fails (from 1; 0: none). A rate of 0
/// is that of this machine.
struct SimulatedDevice {
  std::int64_t memory_bytes = std::int64_t{1} << 30;  ///< [sim] memory = "1G"
  double copy_bytes_per_s = 0;                        ///< [sim] copy_rate: bytes a second, each way
  double launch_s = 0;                                ///< [sim] launch_latency: seconds before each kernel
  double flops_per_s = 0;                             ///< [sim] compute_rate: floating-point operations a second
  double start_s = 0;                                 ///< [sim] start_up: seconds until it can be used
  bool candidate = false;                             ///< [sim] candidate: --device auto weighs it as if it were real
  std::int64_t fail_allocation = 0;                   ///< [sim] fail_allocation: of device memory
  std::int64_t fail_pinned = 0;                       ///< [sim] fail_pinned: of pinned memory, this and all later ones
  std::int64_t fail_copy = 0;                         ///< [sim] fail_copy
  std::int64_t fail_kernel = 0;                       ///< [sim] fail_kernel
  std::int64_t fail_queue = 0;                        ///< [sim] fail_queue: the piece of work at which a queue dies
};

/// 0 or empty: the plan chooses.
struct Config {
  std::int64_t memory_bytes = 0;       ///< [memory] cap = "2G": hard cap on resident memory
  int threads = 0;                     ///< [run] threads
  Runner runner = Runner::graph;       ///< [run] runner = "graph" | "serial"
  std::int64_t tile_rows = 0;          ///< [tiles] rows
  std::int64_t tile_cols = 0;          ///< [tiles] cols
  int slots = 0;                       ///< [tiles] slots: tiles in flight
  int readers = 0;                     ///< [storage] readers: threads that wait for input
  int writers = 0;                     ///< [storage] writers: threads that wait for output
  std::string device = "auto";         ///< [device] name
  std::string solver = "auto";         ///< [device] solver
  std::string machine_file;            ///< [machine] file: the rates to predict with; empty: the reference machine
  int queues = 0;                      ///< [device] queues: streams of work on a device
  std::optional<bool> host_assembles;  ///< [device] assembly = "auto" | "device" | "host": who forms design matrices
  std::int64_t batch_pixels = 0;       ///< [device] batch: pixels whose design matrices a queue holds at once
  SimulatedDevice sim;
};

/// Reads a TOML file over the defaults. Throws Errc::usage naming the file, the line, and for an unknown key the
/// nearest known one.
Config read_config(const std::string& path);

/// The same from text; `name` stands for the file in messages.
Config parse_config(const std::string& text, const std::string& name);

/// "64x128" gives rows and cols. Throws Errc::usage.
void parse_tile(const std::string& text, Config& config);

/// The known word nearest to `word` by edit distance; nullopt when none is near.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace outcrop::pipeline
