#include "tools/outcrop/measure/tile_line.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "cpu/backend.hpp"
#include "model/step_layout.hpp"

namespace outcrop::tools {
namespace {

std::shared_ptr<const SlotLayout> layout_of(const model::Step& step, const io::TileSource& source,
                                            const TileGrid& grid) {
  std::int64_t raw = 0;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) raw = std::max(raw, source.raw_bytes(grid.rect(tile)));
  auto layout = std::make_shared<SlotLayout>(grid.tile_rows() * grid.tile_cols(), raw);
  model::add_planes(*layout, step);
  return layout;
}

}  // namespace

TileLine::TileLine(const model::Step& step, const io::TileSource& source, const TileGrid& grid,
                   const ParallelFor& parallel)
    : parallel_(parallel),
      source_(source),
      backend_(cpu::make_cpu_backend(parallel_)),
      slot_(backend_->allocate(layout_of(step, source, grid))),
      program_(backend_->compile(step, slot_.layout())),
      scratch_(allocate_host(source.scratch_bytes() * parallel.concurrency())),
      num_inputs_(static_cast<int>(step.inputs.size())) {}

template <class Call>
double TileLine::thread_s(const Call& call) const {
  const auto now_s = [&] { return parallel_.concurrency() == 1 ? thread_cpu_s() : parallel_.cpu_s(); };
  const double start_s = now_s();
  call();
  return now_s() - start_s;
}

LineTime TileLine::run(const TileRect& rect) {
  LineTime time = read(rect);
  time.solve_s = solve();
  return time;
}

LineTime TileLine::read(const TileRect& rect) {
  slot_.rect = rect;
  std::vector<View<float, 2>> planes;
  for (int i = 0; i < num_inputs_; ++i) planes.push_back(slot_.plane<float>(i));
  const std::span<std::byte> scratch{scratch_.get(),
                                     static_cast<std::size_t>(source_.scratch_bytes() * parallel_.concurrency())};
  LineTime time;
  const double start_s = thread_cpu_s();
  source_.fetch(rect, slot_.raw(), planes);
  time.fetch_s = thread_cpu_s() - start_s;
  time.decode_s = thread_s([&] { source_.decode(rect, slot_.raw(), planes, scratch, parallel_); });
  return time;
}

double TileLine::solve() {
  return thread_s([&] {
    backend_->submit(*program_, slot_, [](std::optional<Error> error) {
      if (error) throw Error(*error);
    });
  });
}

}  // namespace outcrop::tools
