// bench_limits TILE_ROWS TILE_COLS THREADS FOLDER STACK, or SERIES GEOMETRY in place of STACK: the rates of this
// machine and the processor time that the stages of invert-network (correct-topography) need without the pipeline, as
// JSON on standard output. Files are written to FOLDER, and removed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/limits/stage_time.hpp"
#include "core/error.hpp"
#include "tools/outcrop/measure/rates.hpp"

namespace {

using namespace outcrop::bench;
using namespace outcrop::tools;

constexpr std::int64_t written_bytes = std::int64_t{512} << 20;
constexpr std::int64_t array_bytes = std::int64_t{256} << 20;

double write_rate(const std::string& folder, const RateEffort& effort) {
  const std::string path = folder + "/outcrop-bench-write";
  const double rate = synchronised_write_rate(path, written_bytes, effort);
  std::filesystem::remove(path);
  return rate;
}

void fill_cache(const std::string& file) {
  RateEffort once;
  once.repetitions = 1;
  cached_read_rate(file, static_cast<std::int64_t>(std::filesystem::file_size(file)), 1, once);
}

void print(std::int64_t tile_rows, std::int64_t tile_cols, int num_threads, const std::string& folder,
           const std::vector<std::string>& files) {
  const std::string& file = files.front();
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
  RateEffort effort;
  effort.memory_bytes = num_threads * array_bytes;
  effort.enough_s = 60;
  // Cold first: what follows fills the cache, of which the stages then read as runs with a warm cache do.
  const double cold = cold_read_rate(file, bytes, num_threads, effort);
  const double cached_one = cached_read_rate(file, bytes, 1, effort);
  const double cached = cached_read_rate(file, bytes, num_threads, effort);
  for (std::size_t i = 1; i < files.size(); ++i) fill_cache(files[i]);
  const StageTime t = files.size() == 1 ? measure_inversion(file, tile_rows, tile_cols)
                                        : measure_topography(file, files[1], tile_rows, tile_cols);
  fmt::print("{{\"threads\": {},\n", num_threads);
  fmt::print(" \"memory_read_bytes_per_s\": {:.4g}, \"memory_copy_bytes_per_s\": {:.4g},\n",
             memory_read_rate(num_threads, effort), memory_copy_rate(num_threads, effort));
  fmt::print(" \"cached_read_bytes_per_s\": {:.4g}, \"cached_read_1_thread_bytes_per_s\": {:.4g},\n", cached,
             cached_one);
  fmt::print(" \"cold_read_bytes_per_s\": {:.4g}, \"synchronised_write_bytes_per_s\": {:.4g},\n", cold,
             write_rate(folder, effort));
  fmt::print(" \"fetch_cpu_s\": {:.4g}, \"decode_cpu_s\": {:.4g}, \"solve_cpu_s\": {:.4g},\n", t.fetch_s, t.decode_s,
             t.solve_s);
  fmt::print(" \"needed_bytes\": {}, \"decoded_bytes\": {}, \"output_bytes\": {}, \"pixels\": {}}}\n", t.needed_bytes,
             t.decoded_bytes, t.output_bytes, t.pixels);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) {
    fmt::print(stderr, "usage: bench_limits TILE_ROWS TILE_COLS THREADS FOLDER STACK | SERIES GEOMETRY\n");
    return 2;
  }
  try {
    print(std::stoll(argv[1]), std::stoll(argv[2]), std::stoi(argv[3]), argv[4], {argv + 5, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_limits: {}\n", error.what());
    return 1;
  }
  return 0;
}
