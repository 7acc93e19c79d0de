// Runs the step invert-network on arrays in memory through a backend, in tiles of any size.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/backend.hpp"
#include "core/tile.hpp"
#include "model/step_layout.hpp"
#include "model/steps/invert_network.hpp"
#include "tests/support/thread_for.hpp"

namespace outcrop::test {

/// A scene in memory: planes [depth][rows * cols], empty when the step does not read them.
struct NetworkScene {
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::vector<float> observation;
  std::vector<float> coherence;
  std::vector<float> deviation;
  std::vector<float> mask;
  std::vector<float> water_mask;
  std::vector<float> quality_mask;

  std::int64_t pixels() const { return rows * cols; }
  const std::vector<float>& plane(const std::string& name) const {
    if (name == "observation") return observation;
    if (name == "coherence") return coherence;
    if (name == "std") return deviation;
    if (name == "mask") return mask;
    return name == "water_mask" ? water_mask : quality_mask;
  }
};

struct NetworkResult {
  std::vector<float> timeseries;  ///< [D][pixels]
  std::vector<float> quality;     ///< NaN, where a residual has it, is kept as -1 so that results compare
  std::vector<float> count;
  std::vector<std::uint8_t> status;
  std::vector<std::uint8_t> islands;  ///< empty unless asked for
  std::vector<float> covariance;      ///< [D * D][pixels], empty unless asked for
  Tally tally;
  friend bool operator==(const NetworkResult& a, const NetworkResult& b) {
    return a.timeseries == b.timeseries && a.quality == b.quality && a.count == b.count && a.status == b.status &&
           a.islands == b.islands && a.covariance == b.covariance && a.tally.status == b.tally.status &&
           a.tally.deviations == b.tally.deviations;
  }
};

inline std::shared_ptr<const SlotLayout> layout_of(const model::Step& step, std::int64_t pixels) {
  auto layout = std::make_shared<SlotLayout>(pixels, 0);
  model::add_planes(*layout, step);
  return layout;
}

/// Pixel of the scene that is pixel i of the tile.
inline std::int64_t scene_pixel(const NetworkScene& scene, const TileRect& rect, std::int64_t i) {
  return (rect.row + i / rect.cols) * scene.cols + rect.col + i % rect.cols;
}

inline void fill_slot(const model::Step& step, const NetworkScene& scene, Slot& slot) {
  for (const auto& input : step.inputs) {
    const View<float, 2> plane = slot.plane<float>(slot.layout().index(input.name));
    const std::vector<float>& from = scene.plane(input.name);
    REQUIRE(static_cast<std::int64_t>(from.size()) == input.depth * scene.pixels());
    for (std::int64_t k = 0; k < input.depth; ++k) {
      // What lies behind the last pixel must not matter: the worst there is.
      float* row = plane.data_handle() + k * plane.stride(0);
      std::fill_n(row, slot.layout().pixel_capacity(), std::numeric_limits<float>::infinity());
      for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) {
        plane(k, i) = from[static_cast<std::size_t>(k * scene.pixels() + scene_pixel(scene, slot.rect, i))];
      }
    }
  }
}

template <class T>
void take_plane(const Slot& slot, const char* name, const NetworkScene& scene, std::vector<T>& to) {
  const View<T, 2> plane = slot.plane<T>(slot.layout().index(name));
  to.resize(static_cast<std::size_t>(plane.extent(0) * scene.pixels()));
  for (std::int64_t k = 0; k < plane.extent(0); ++k) {
    for (std::int64_t i = 0; i < plane.extent(1); ++i) {
      to[static_cast<std::size_t>(k * scene.pixels() + scene_pixel(scene, slot.rect, i))] = plane(k, i);
    }
  }
}

inline NetworkResult run_network(Backend& backend, const model::InvertNetwork& parameters, const NetworkScene& scene,
                                 std::int64_t tile_rows, std::int64_t tile_cols,
                                 model::Solver solver = model::Solver::structured) {
  model::Step step = model::make_invert_network(std::make_shared<const model::InvertNetwork>(parameters));
  step.solver = solver;
  const TileGrid grid(scene.rows, scene.cols, tile_rows, tile_cols);
  const auto layout = layout_of(step, grid.tile_rows() * grid.tile_cols());
  Slot slot = backend.allocate(layout);
  const std::unique_ptr<TileProgram> program = backend.compile(step, *layout);
  NetworkResult result;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
    slot.rect = grid.rect(tile);
    fill_slot(step, scene, slot);
    int num_done = 0;
    backend.submit(*program, slot, [&](std::optional<Error> error) {
      ++num_done;
      CHECK_MESSAGE(!error, (error ? error->what() : ""));
    });
    backend.drain();
    CHECK(num_done == 1);
    take_plane(slot, "timeseries", scene, result.timeseries);
    take_plane(slot, "quality", scene, result.quality);
    take_plane(slot, "count", scene, result.count);
    take_plane(slot, "status", scene, result.status);
    if (parameters.wants_islands) take_plane(slot, "islands", scene, result.islands);
    if (parameters.covariance) take_plane(slot, "covariance", scene, result.covariance);
    result.tally.add(slot.tally);
  }
  std::replace_if(
      result.quality.begin(), result.quality.end(), [](float q) { return q != q; }, -1.0F);
  return result;
}

}  // namespace outcrop::test
