#include "gpu/pointer_arrays.hpp"

#include <vector>

namespace outcrop::gpu {
namespace {

std::vector<double*> pointers_into(const NormalBatch& batch, std::int64_t pixels) {
  const std::int64_t size = batch.size;
  std::vector<double*> pointers;
  pointers.reserve(static_cast<std::size_t>(2 * pixels));
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) pointers.push_back(batch.normal + pixel * size * size);
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) pointers.push_back(batch.side + pixel * size);
  return pointers;
}

}  // namespace

PointerArrays::PointerArrays(const std::shared_ptr<Runtime>& runtime, Stream& stream, const NormalBatch& batch,
                             std::int64_t pixels)
    : pixels_(pixels), device_(runtime, device_bytes(pixels), "the pointers to a batch") {
  const std::vector<double*> pointers = pointers_into(batch, pixels);
  copy_in_now(*runtime, stream, device_.data(), reinterpret_cast<const std::byte*>(pointers.data()),
              device_bytes(pixels));
}

std::int64_t PointerArrays::device_bytes(std::int64_t pixels) {
  return 2 * pixels * static_cast<std::int64_t>(sizeof(double*));
}

BatchedSystems PointerArrays::systems(const NormalBatch& batch, std::int64_t count) const {
  auto** const matrices = reinterpret_cast<double**>(device_.data());
  return {batch.size, count, matrices, matrices + pixels_, batch.info};
}

}  // namespace outcrop::gpu
