// The work of the stages without the pipeline.
#include "bench/limits/stage_time.hpp"

#include <memory>
#include <numeric>
#include <vector>

#include "core/log.hpp"
#include "core/parallel.hpp"
#include "core/tile.hpp"
#include "io/h5_source.hpp"
#include "io/mintpy/series.hpp"
#include "io/mintpy/stack.hpp"
#include "model/steps/correct_topography.hpp"
#include "model/steps/invert_network.hpp"
#include "tools/outcrop/measure/tile_line.hpp"

namespace outcrop::bench {
namespace {

std::shared_ptr<const model::InvertNetwork> parameters_of(const io::mintpy::Stack& stack) {
  auto p = std::make_shared<model::InvertNetwork>();
  p->network = model::make_network(stack.dates);
  p->reference.assign(stack.dates.size(), 0.0F);
  p->num_looks = 15;
  return p;
}

std::shared_ptr<const model::CorrectTopography> parameters_of(const io::mintpy::Series& series) {
  auto p = std::make_shared<model::CorrectTopography>();
  p->dates = series.dates;
  p->excluded.assign(series.dates.size(), false);
  p->columns = model::design_columns(series.dates, 0, {});
  return p;
}

std::vector<std::int64_t> first_layers(std::size_t count) {
  std::vector<std::int64_t> layers(count);
  std::iota(layers.begin(), layers.end(), 0);
  return layers;
}

/// All tiles, one after the other; the first one twice, for its first run touches every page.
StageTime measure(const model::Step& step, const std::vector<io::PlaneRequest>& requests, std::int64_t tile_rows,
                  std::int64_t tile_cols) {
  Log log(Verbosity::quiet);
  const auto source = io::make_h5_source(requests, {}, log);
  const io::SourceInfo& info = source->describe();
  const TileGrid grid(info.rows, info.cols, tile_rows, tile_cols);
  const SerialFor serial;
  tools::TileLine line(step, *source, grid, serial);
  StageTime time;
  line.run(grid.rect(0));
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
    const tools::LineTime taken = line.run(grid.rect(tile));
    time.fetch_s += taken.fetch_s;
    time.decode_s += taken.decode_s;
    time.solve_s += taken.solve_s;
  }
  for (const auto& plane : info.planes) {
    time.needed_bytes += plane.needed_bytes;
    time.decoded_bytes += plane.decoded_bytes;
  }
  time.pixels = info.rows * info.cols;
  for (const auto& plane : step.outputs) {
    if (plane.name != "status") time.output_bytes += plane.depth * time.pixels * size_bytes(plane.dtype);
  }
  return time;
}

}  // namespace

StageTime measure_inversion(const std::string& path, std::int64_t tile_rows, std::int64_t tile_cols) {
  const io::mintpy::Stack stack = io::mintpy::read_stack(path);
  const auto layers = first_layers(stack.dates.size());
  return measure(model::make_invert_network(parameters_of(stack)),
                 {{"observation", path, "unwrapPhase", layers}, {"coherence", path, "coherence", layers}}, tile_rows,
                 tile_cols);
}

StageTime measure_topography(const std::string& path, const std::string& geometry, std::int64_t tile_rows,
                             std::int64_t tile_cols) {
  const io::mintpy::Series series = io::mintpy::read_series(path);
  const auto layers = first_layers(series.dates.size());
  return measure(model::make_correct_topography(parameters_of(series)),
                 {{"timeseries", path, "timeseries", layers},
                  {"bperp", geometry, "bperp", layers},
                  {"incidence", geometry, "incidenceAngle", {}},
                  {"slant_range", geometry, "slantRangeDistance", {}}},
                 tile_rows, tile_cols);
}

}  // namespace outcrop::bench
