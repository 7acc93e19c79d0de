// The work of the stages without the pipeline.
#include "bench/limits/stage_time.hpp"

#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "core/clock.hpp"
#include "core/log.hpp"
#include "core/parallel.hpp"
#include "core/slot.hpp"
#include "core/tile.hpp"
#include "cpu/backend.hpp"
#include "io/h5_source.hpp"
#include "io/mintpy/series.hpp"
#include "io/mintpy/stack.hpp"
#include "model/steps/correct_topography.hpp"
#include "model/steps/invert_network.hpp"

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

std::shared_ptr<const SlotLayout> layout_of(const model::Step& step, const io::TileSource& source,
                                            const TileGrid& grid) {
  std::int64_t raw = 0;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) raw = std::max(raw, source.raw_bytes(grid.rect(tile)));
  auto layout = std::make_shared<SlotLayout>(grid.tile_rows() * grid.tile_cols(), raw);
  for (const auto& plane : step.inputs) layout->add(plane.name, plane.depth, DType::f32);
  for (const auto& plane : step.outputs) layout->add(plane.name, plane.depth, plane.dtype);
  return layout;
}

/// Processor seconds of the call on this thread.
template <class Call>
double cpu_s(const Call& call) {
  const double start_s = thread_cpu_s();
  call();
  return thread_cpu_s() - start_s;
}

/// One slot through which all tiles go.
class Line {
 public:
  Line(const model::Step& step, const io::TileSource& source, const TileGrid& grid)
      : source_(source),
        backend_(cpu::make_cpu_backend(serial_)),
        slot_(backend_->allocate(layout_of(step, source, grid))),
        program_(backend_->compile(step, slot_.layout())),
        scratch_(allocate_host(source.scratch_bytes())),
        num_inputs_(static_cast<int>(step.inputs.size())) {}

  void run(const TileRect& rect, StageTime& time) {
    slot_.rect = rect;
    std::vector<View<float, 2>> planes;
    for (int i = 0; i < num_inputs_; ++i) planes.push_back(slot_.plane<float>(i));
    time.fetch_s += cpu_s([&] { source_.fetch(rect, slot_.raw(), planes); });
    const std::span<std::byte> scratch{scratch_.get(), static_cast<std::size_t>(source_.scratch_bytes())};
    time.decode_s += cpu_s([&] { source_.decode(rect, slot_.raw(), planes, scratch, serial_); });
    time.solve_s += cpu_s([&] {
      backend_->submit(*program_, slot_, [](std::optional<Error> error) {
        if (error) throw Error(*error);
      });
    });
  }

 private:
  SerialFor serial_;
  const io::TileSource& source_;
  std::unique_ptr<Backend> backend_;
  Slot slot_;
  std::unique_ptr<TileProgram> program_;
  SlotMemory scratch_;
  int num_inputs_;
};

/// All tiles, one after the other; the first one twice, for its first run touches every page.
StageTime measure(const model::Step& step, const std::vector<io::PlaneRequest>& requests, std::int64_t tile_rows,
                  std::int64_t tile_cols) {
  Log log(Verbosity::quiet);
  const auto source = io::make_h5_source(requests, {}, log);
  const io::SourceInfo& info = source->describe();
  const TileGrid grid(info.rows, info.cols, tile_rows, tile_cols);
  Line line(step, *source, grid);
  StageTime time;
  StageTime untimed;
  line.run(grid.rect(0), untimed);
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) line.run(grid.rect(tile), time);
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
