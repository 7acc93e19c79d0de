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
#include "io/mintpy/stack.hpp"
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

std::vector<io::PlaneRequest> requests_of(const io::mintpy::Stack& stack) {
  std::vector<std::int64_t> layers(stack.dates.size());
  std::iota(layers.begin(), layers.end(), 0);
  return {{"observation", stack.path, "unwrapPhase", layers}, {"coherence", stack.path, "coherence", layers}};
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

}  // namespace

StageTime measure_stages(const std::string& path, std::int64_t tile_rows, std::int64_t tile_cols) {
  const io::mintpy::Stack stack = io::mintpy::read_stack(path);
  const model::Step step = model::make_invert_network(parameters_of(stack));
  Log log(Verbosity::quiet);
  const auto source = io::make_h5_source(requests_of(stack), {}, log);
  const TileGrid grid(stack.rows, stack.cols, tile_rows, tile_cols);
  Line line(step, *source, grid);
  StageTime time;
  StageTime untimed;
  line.run(grid.rect(0), untimed);  // touches every page
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) line.run(grid.rect(tile), time);
  for (const auto& plane : source->describe().planes) {
    time.needed_bytes += plane.needed_bytes;
    time.decoded_bytes += plane.decoded_bytes;
  }
  time.pixels = stack.rows * stack.cols;
  const std::int64_t series_quality_count = stack.dates.empty() ? 0 : step.outputs.front().depth + 2;
  time.output_bytes = series_quality_count * time.pixels * size_bytes(DType::f32);
  return time;
}

}  // namespace outcrop::bench
