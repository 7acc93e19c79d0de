// Which plane of a scene is which array, and the turns in which filtered chunks are written.
#include "tools/outcrop/simulate/scene_sink.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/flat_sink.hpp"
#include "tools/outcrop/simulate/files.hpp"

namespace outcrop::tools {
namespace {

const std::byte* data_of(const std::string& plane, const FieldTile& f, const SampleTile& s) {
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

/// The blocks of all planes of a sink under a rectangle.
std::vector<io::PlaneBlock> blocks_of(const std::vector<io::SinkPlane>& planes, const TileRect& rect,
                                      const FieldTile& fields, const SampleTile& samples) {
  std::vector<io::PlaneBlock> blocks;
  for (const io::SinkPlane& plane : planes) {
    const std::int64_t element = size_bytes(plane.dtype);
    blocks.push_back({static_cast<int>(blocks.size()), rect, data_of(plane.name, fields, samples),
                      rect.pixels() * element, rect.cols * element});
  }
  return blocks;
}

}  // namespace

SceneSink::SceneSink(const Scene& scene, Log& log) {
  auto files = truth_files(scene);
  auto inputs = input_files(scene);
  if (scene.layout.encoding.is_plain()) {
    std::move(inputs.begin(), inputs.end(), std::back_inserter(files));
  } else {
    encoding_ = io::make_encoding_sink(scene.rows(), scene.cols(), std::move(inputs), scene.layout.encoding);
  }
  flat_ = io::make_flat_sink(scene.rows(), scene.cols(), std::move(files), log);
}

void SceneSink::begin() {
  flat_->begin();
  if (encoding_) encoding_->begin();
}

void SceneSink::write(std::int64_t tile, const TileRect& rect, const FieldTile& fields, const SampleTile& samples) {
  for (const auto& block : blocks_of(flat_->planes(), rect, fields, samples)) flat_->write(block);
  if (!encoding_) return;
  std::vector<io::EncodedBlock> encoded;
  for (const auto& block : blocks_of(encoding_->planes(), rect, fields, samples)) {
    encoded.push_back(encoding_->encode(block));
  }
  if (!wait_for_turn(tile)) return;
  for (const auto& block : encoded) encoding_->append(block);
  end_turn();
}

bool SceneSink::wait_for_turn(std::int64_t tile) {
  std::unique_lock lock(mutex_);
  turn_.wait(lock, [&] { return stopped_ || next_tile_ == tile; });
  return !stopped_;
}

void SceneSink::end_turn() {
  const std::lock_guard lock(mutex_);
  ++next_tile_;
  turn_.notify_all();
}

void SceneSink::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  turn_.notify_all();
}

void SceneSink::commit() {
  flat_->commit({});
  if (encoding_) encoding_->commit({});
}

void SceneSink::abandon() noexcept {
  flat_->abandon();
  if (encoding_) encoding_->abandon();
}

}  // namespace outcrop::tools
