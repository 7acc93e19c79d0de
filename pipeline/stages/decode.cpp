#include "pipeline/stages/decode.hpp"

#include <fmt/format.h>

#include <cmath>

namespace outcrop::pipeline {

DecodeStage::DecodeStage(const io::TileSource& source, const model::Step& step, const ParallelFor& parallel)
    : source_(source),
      step_(step),
      parallel_(parallel),
      scratch_(allocate_host(source.scratch_bytes() * parallel.concurrency())),
      scratch_bytes_(static_cast<std::size_t>(source.scratch_bytes() * parallel.concurrency())) {}

std::int64_t DecodeStage::operator()(Slot& slot) const {
  std::vector<View<float, 2>> planes;
  for (std::size_t i = 0; i < step_.inputs.size(); ++i) planes.push_back(slot.plane<float>(static_cast<int>(i)));
  const io::DecodeVolume volume =
      source_.decode(slot.rect, slot.raw(), planes, {scratch_.get(), scratch_bytes_}, parallel_);
  slot.num_read += volume.read;
  slot.num_decoded += volume.decoded;
  for (std::size_t i = 0; i < step_.inputs.size(); ++i) check(slot, i);
  return volume.decoded;
}

void DecodeStage::check(const Slot& slot, std::size_t plane) const {
  const auto& wanted = step_.inputs[plane].check;
  const io::PlaneInfo& info = source_.describe().planes[plane];
  if (!wanted || (wanted->integers_only && !info.integers)) return;
  const View<const float, 2> values = slot.plane<float>(static_cast<int>(plane));
  for (std::int64_t k = 0; k < values.extent(0); ++k) {
    for (std::int64_t i = 0; i < values.extent(1); ++i) {
      const double value = static_cast<double>(values(k, i));
      if (!std::isfinite(value) || (value >= wanted->lowest && value <= wanted->highest)) continue;
      if (wanted->zero_is_no_data && value == 0) continue;
      fail(Errc::input,
           fmt::format("/{} in {} has the value {} at row {}, column {}; it should lie within {} and {}: {}",
                       info.dataset, info.path, value, slot.rect.row + i / slot.rect.cols,
                       slot.rect.col + i % slot.rect.cols, wanted->lowest, wanted->highest, wanted->advice));
    }
  }
}

}  // namespace outcrop::pipeline
