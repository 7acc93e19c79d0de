// Runs the step correct-topography on arrays in memory through a backend, in tiles of any size.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/tile.hpp"
#include "model/step_layout.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::test {

/// A scene in memory: input planes [depth][rows * cols] by name.
struct TopographyScene {
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::map<std::string, std::vector<float>> planes;

  std::int64_t pixels() const { return rows * cols; }
  std::int64_t pixel_at(const TileRect& rect, std::int64_t i) const {
    return (rect.row + i / rect.cols) * cols + rect.col + i % rect.cols;
  }
};

struct TopographyResult {
  std::vector<float> corrected;  ///< [D][pixels]
  std::vector<float> residual;   ///< [D][pixels], empty unless asked for
  std::vector<float> dem_error;
  std::vector<std::uint8_t> status;
  Tally tally;

  friend bool operator==(const TopographyResult& a, const TopographyResult& b) {
    return a.corrected == b.corrected && a.residual == b.residual && a.dem_error == b.dem_error &&
           a.status == b.status && a.tally.status == b.tally.status && a.tally.deviations == b.tally.deviations;
  }
};

inline std::shared_ptr<const SlotLayout> topography_layout(const model::Step& step, std::int64_t pixels) {
  auto layout = std::make_shared<SlotLayout>(pixels, 0);
  model::add_planes(*layout, step);
  return layout;
}

inline void fill_topography(const model::Step& step, const TopographyScene& scene, Slot& slot) {
  for (const auto& input : step.inputs) {
    const View<float, 2> plane = slot.plane<float>(slot.layout().index(input.name));
    const std::vector<float>& from = scene.planes.at(input.name);
    REQUIRE(static_cast<std::int64_t>(from.size()) == input.depth * scene.pixels());
    for (std::int64_t k = 0; k < input.depth; ++k) {
      // What lies behind the last pixel must not matter: the worst there is.
      std::fill_n(plane.data_handle() + k * plane.stride(0), slot.layout().pixel_capacity(),
                  std::numeric_limits<float>::infinity());
      for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) {
        plane(k, i) = from[static_cast<std::size_t>(k * scene.pixels() + scene.pixel_at(slot.rect, i))];
      }
    }
  }
}

template <class T>
void take_topography(const Slot& slot, const char* name, const TopographyScene& scene, std::vector<T>& to) {
  const View<T, 2> plane = slot.plane<T>(slot.layout().index(name));
  to.resize(static_cast<std::size_t>(plane.extent(0) * scene.pixels()));
  for (std::int64_t k = 0; k < plane.extent(0); ++k) {
    for (std::int64_t i = 0; i < plane.extent(1); ++i) {
      to[static_cast<std::size_t>(k * scene.pixels() + scene.pixel_at(slot.rect, i))] = plane(k, i);
    }
  }
}

inline TopographyResult run_topography(Backend& backend, const model::CorrectTopography& parameters,
                                       const TopographyScene& scene, std::int64_t tile_rows, std::int64_t tile_cols,
                                       model::Solver solver = model::Solver::structured) {
  model::Step step = model::make_correct_topography(std::make_shared<const model::CorrectTopography>(parameters));
  step.solver = solver;
  const TileGrid grid(scene.rows, scene.cols, tile_rows, tile_cols);
  const auto layout = topography_layout(step, grid.tile_rows() * grid.tile_cols());
  Slot slot = backend.allocate(layout);
  const std::unique_ptr<TileProgram> program = backend.compile(step, *layout);
  TopographyResult result;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
    slot.rect = grid.rect(tile);
    fill_topography(step, scene, slot);
    int num_done = 0;
    backend.submit(*program, slot, [&](std::optional<Error> error) {
      ++num_done;
      CHECK_MESSAGE(!error, (error ? error->what() : ""));
    });
    backend.drain();
    CHECK(num_done == 1);
    take_topography(slot, "corrected", scene, result.corrected);
    if (parameters.wants_residual) take_topography(slot, "residual", scene, result.residual);
    take_topography(slot, "dem_error", scene, result.dem_error);
    take_topography(slot, "status", scene, result.status);
    result.tally.add(slot.tally);
  }
  return result;
}

}  // namespace outcrop::test
