// Tiles taken by threads, each computed and written on its own.
#include "tools/outcrop/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "tools/outcrop/simulate/fields.hpp"
#include "tools/outcrop/simulate/samples.hpp"
#include "tools/outcrop/simulate/scene_sink.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t tile_bytes = std::int64_t{96} << 20;  // of one thread's planes
constexpr double report_every_s = 10;

constexpr std::int64_t all_tiles_bytes = std::int64_t{2} << 30;  // of all threads together

std::int64_t pixel_bytes(const Scene& scene) {
  return scene.network.num_pairs() * 9 + scene.network.num_dates() * 16 + 64;
}

/// Throws: Errc::usage when one column of chunks is too much for the memory.
TileGrid make_grid(const Scene& scene) {
  const std::int64_t pixels = std::max<std::int64_t>(tile_bytes / pixel_bytes(scene), 64);
  const TileGrid grid = chunk_aligned_grid(scene.layout, scene.rows(), scene.cols(), pixels);
  const std::int64_t bytes = grid.tile_rows() * grid.tile_cols() * pixel_bytes(scene);
  if (bytes <= all_tiles_bytes) return grid;
  fail(Errc::usage, fmt::format("simulating a scene: all pairs of one chunk of {} x {} pixels take {} bytes of memory; "
                                "make the rows and columns of --chunks smaller",
                                scene.layout.chunk[1], scene.layout.chunk[2], bytes));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) fail(Errc::io, fmt::format("making the folder {} failed: {}", folder.string(), code.message()));
}

/// Computes and writes tiles on several threads; the first error stops them all.
class SceneWriter {
 public:
  SceneWriter(const Scene& scene, const TileGrid& grid, SceneSink& sink, Log& log, const std::atomic<int>& stop)
      : scene_(scene), sink_(sink), log_(log), signal_(stop), grid_(grid) {}

  void run() {
    const std::int64_t processors = std::max(std::thread::hardware_concurrency(), 1U);
    const std::int64_t wanted = scene_.options.threads > 0 ? scene_.options.threads : processors;
    const std::int64_t bytes = grid_.tile_rows() * grid_.tile_cols() * pixel_bytes(scene_);
    const std::int64_t most = std::min(grid_.count(), std::max<std::int64_t>(all_tiles_bytes / bytes, 1));
    std::vector<std::thread> threads;
    for (std::int64_t t = 0; t < std::min(wanted, most); ++t) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
    if (signal_ != 0)
      fail(Errc::cancelled, fmt::format("stopped by signal {} before the scene was complete", signal_.load()));
  }

 private:
  void work() {
    try {
      FieldTile fields;
      SampleTile samples;
      while (!failed_ && signal_ == 0) {
        const std::int64_t tile = next_.fetch_add(1);
        if (tile >= grid_.count()) return;
        const TileRect rect = grid_.rect(tile);
        evaluate_fields(scene_, rect, fields);
        evaluate_samples(scene_, rect, fields, samples);
        sink_.write(tile, rect, fields, samples);
        report();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
    if (failed_ || signal_ != 0) sink_.stop();
  }

  void report() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (wall_s() - last_report_s_ < report_every_s) return;
    last_report_s_ = wall_s();
    log_.info(fmt::format("{} of {} tiles written", done_, grid_.count()));
  }

  const Scene& scene_;
  SceneSink& sink_;
  Log& log_;
  const std::atomic<int>& signal_;
  TileGrid grid_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  std::int64_t done_ = 0;
  double last_report_s_ = wall_s();
};

}  // namespace

void simulate(const SimulateOptions& options, Log& log, const std::atomic<int>& stop) {
  const Scene scene = make_scene(options);
  log.info(fmt::format("simulating {} x {} pixels, {} dates, {} pairs in {}", scene.rows(), scene.cols(),
                       scene.network.num_dates(), scene.network.num_pairs(), options.dir));
  const TileGrid grid = make_grid(scene);
  make_folder(std::filesystem::path(options.dir) / "inputs");
  SceneSink sink(scene, log);
  sink.begin();
  try {
    SceneWriter(scene, grid, sink, log, stop).run();
    sink.commit();
  } catch (...) {
    sink.abandon();
    throw;
  }
}

}  // namespace outcrop::tools
