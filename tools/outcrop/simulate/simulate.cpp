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
#include "io/flat_sink.hpp"
#include "tools/outcrop/simulate/fields.hpp"
#include "tools/outcrop/simulate/files.hpp"
#include "tools/outcrop/simulate/samples.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t tile_bytes = std::int64_t{96} << 20;  // of one thread's planes
constexpr double report_every_s = 10;

/// Full rows where they fit, so that a layer of a tile is one long write.
TileGrid make_grid(const Scene& scene) {
  const std::int64_t pixel_bytes = scene.network.num_pairs() * 9 + scene.network.num_dates() * 16 + 64;
  const std::int64_t pixels = std::max<std::int64_t>(tile_bytes / pixel_bytes, 64);
  const std::int64_t cols = std::min(scene.cols(), pixels);
  return {scene.rows(), scene.cols(), std::max<std::int64_t>(pixels / cols, 1), cols};
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) fail(Errc::io, fmt::format("making the folder {} failed: {}", folder.string(), code.message()));
}

/// Computes and writes tiles on several threads; the first error stops them all.
class SceneWriter {
 public:
  SceneWriter(const Scene& scene, io::TileSink& sink, Log& log, const std::atomic<int>& stop)
      : scene_(scene), sink_(sink), log_(log), signal_(stop), grid_(make_grid(scene)) {}

  void run() {
    const unsigned processors = std::max(std::thread::hardware_concurrency(), 1U);
    const std::int64_t wanted = scene_.options.threads > 0 ? scene_.options.threads : std::int64_t{processors};
    std::vector<std::thread> threads;
    for (std::int64_t t = 0; t < std::min(wanted, grid_.count()); ++t) threads.emplace_back([this] { work(); });
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
        write(rect, fields, samples);
        report();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }

  void write(const TileRect& rect, const FieldTile& fields, const SampleTile& samples) {
    for (std::size_t p = 0; p < sink_.planes().size(); ++p) {
      const io::SinkPlane& plane = sink_.planes()[p];
      const std::int64_t element = size_bytes(plane.dtype);
      sink_.write({static_cast<int>(p), rect, data_of(plane.name, fields, samples), rect.pixels() * element,
                   rect.cols * element});
    }
  }

  static const std::byte* data_of(const std::string& plane, const FieldTile& f, const SampleTile& s) {
    const auto bytes = [](const auto& values) { return reinterpret_cast<const std::byte*>(values.data()); };
    if (plane == "phase") return bytes(s.phase);
    if (plane == "coherence") return bytes(s.coherence);
    if (plane == "component") return bytes(s.component);
    if (plane == "kind") return bytes(s.kind);
    if (plane == "land") return bytes(s.land);
    if (plane == "height") return bytes(f.height);
    if (plane == "incidence") return bytes(f.incidence);
    if (plane == "slant_range") return bytes(f.slant_range);
    if (plane == "bperp") return bytes(f.bperp);
    if (plane == "velocity") return bytes(f.velocity);
    if (plane == "dem_error") return bytes(f.dem_error);
    if (plane == "displacement") return bytes(f.displacement);
    if (plane == "series") return bytes(s.series);
    fail(Errc::internal, "a simulated scene has no plane '" + plane + "'");
  }

  void report() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (wall_s() - last_report_s_ < report_every_s) return;
    last_report_s_ = wall_s();
    log_.info(fmt::format("{} of {} tiles written", done_, grid_.count()));
  }

  const Scene& scene_;
  io::TileSink& sink_;
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
  make_folder(std::filesystem::path(options.dir) / "inputs");
  const auto sink = io::make_flat_sink(scene.rows(), scene.cols(), scene_files(scene), log);
  sink->begin();
  try {
    SceneWriter(scene, *sink, log, stop).run();
    sink->commit({});
  } catch (...) {
    sink->abandon();
    throw;
  }
}

}  // namespace outcrop::tools
