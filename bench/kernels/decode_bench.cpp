// Decoding rates: stored bytes in the page cache to native float32 planes, for each storage and one or two threads.
// Bytes per second are those of the decoded planes; counters give the rate by processor time, which a busy machine
// changes less, and the share of the time that fetch() takes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "io/encoding_sink.hpp"
#include "io/flat_sink.hpp"
#include "io/h5_source.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/thread_for.hpp"

namespace outcrop::bench {
namespace {

constexpr std::int64_t layers = 96;
constexpr std::int64_t rows = 504;
constexpr std::int64_t cols = 540;
constexpr std::int64_t tile_rows = 126;
constexpr std::int64_t chunk_rows = 63;

struct Storage {
  const char* name;
  bool chunked = true;
  io::Encoding encoding = {};
};

const Storage storages[] = {{"contiguous", false, {}},
                            {"chunks", true, {}},
                            {"lzf", true, {io::Compressor::lzf, false, false}},
                            {"gzip", true, {io::Compressor::gzip, false, false}},
                            {"gzip_shuffle", true, {io::Compressor::gzip, true, false}}};

/// Phases: a smooth field and noise, rounded to 1/256 rad, as interferometric processors store them.
std::vector<float> phases() {
  std::vector<float> values(static_cast<std::size_t>(layers * rows * cols));
  std::uint32_t random = 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    random = random * 1664525U + 1013904223U;
    const double x = static_cast<double>(i % cols);
    const double y = static_cast<double>(i / cols % rows);
    const double noise = static_cast<double>(random >> 24U) / 1024.0;
    const double smooth = 6 * std::sin(x / 90 + static_cast<double>(i / (cols * rows))) * std::cos(y / 70);
    values[i] = static_cast<float>(std::round(256 * (smooth + noise)) / 256);
  }
  return values;
}

void write_file(const std::string& path, const Storage& storage, const std::vector<float>& values) {
  Log log(Verbosity::quiet);
  io::TiledDataset tiled{"d", "d", layers, false, DType::f32, {}};
  if (storage.chunked) tiled.chunk_layers = 16, tiled.chunk_rows = chunk_rows, tiled.chunk_cols = 54;
  const std::vector<io::OutputFile> files{{path, {}, {}, {tiled}}};
  const io::PlaneBlock block{
      0, {0, 0, rows, cols}, reinterpret_cast<const std::byte*>(values.data()), rows * cols * 4, cols * 4};
  if (storage.encoding.is_plain()) {
    const auto sink = io::make_flat_sink(rows, cols, files, log);
    sink->begin();
    sink->write(block);
    sink->commit({});
    return;
  }
  const auto sink = io::make_encoding_sink(rows, cols, files, storage.encoding);
  sink->begin();
  sink->append(sink->encode(block));
  sink->commit({});
}

/// The files of all storages, made once.
const std::string& file_of(std::size_t storage) {
  static const test::TempFolder folder;
  static std::vector<std::string> paths(std::size(storages));
  if (paths[storage].empty()) {
    const std::string path = folder.file(std::string(storages[storage].name) + ".h5");
    write_file(path, storages[storage], phases());
    paths[storage] = path;
  }
  return paths[storage];
}

void decode(benchmark::State& state, std::size_t storage, int threads) {
  Log log(Verbosity::quiet);
  std::vector<std::int64_t> wanted(layers);
  std::iota(wanted.begin(), wanted.end(), std::int64_t{0});
  const auto source = io::make_h5_source({{"d", file_of(storage), "d", wanted}}, {}, log);
  const TileGrid grid(rows, cols, tile_rows, cols);
  std::vector<std::byte> raw(static_cast<std::size_t>(source->raw_bytes(grid.rect(0))) + (std::size_t{1} << 22));
  std::vector<std::byte> scratch(static_cast<std::size_t>(source->scratch_bytes() * threads));
  std::vector<float> plane(static_cast<std::size_t>(layers * tile_rows * cols));
  const View<float, 2> view(plane.data(), layers, tile_rows * cols);
  const test::ThreadFor parallel(threads);
  const double cpu_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  double fetch_s = 0;
  double decode_s = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
      const double start_s = wall_s();
      source->fetch(grid.rect(tile), raw, std::span(&view, 1));
      const double fetched_s = wall_s();
      source->decode(grid.rect(tile), raw, std::span(&view, 1), scratch, parallel);
      fetch_s += fetched_s - start_s;
      decode_s += wall_s() - fetched_s;
    }
  }
  const std::int64_t bytes = state.iterations() * layers * rows * cols * 4;
  state.SetBytesProcessed(bytes);
  state.counters["GB_per_cpu_s"] = 1e-9 * static_cast<double>(bytes) / (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_s);
  state.counters["fetch_share"] = fetch_s / (fetch_s + decode_s);
  state.counters["stored_ratio"] = static_cast<double>(source->describe().planes[0].decoded_bytes) /
                                   static_cast<double>(source->describe().planes[0].needed_bytes);
}

void register_all() {
  for (std::size_t storage = 0; storage < std::size(storages); ++storage) {
    for (const int threads : {1, 2}) {
      const std::string name = std::string(storages[storage].name) + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), decode, storage, threads)->UseRealTime();
    }
  }
}

}  // namespace
}  // namespace outcrop::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  outcrop::bench::register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
