// The calls of cuSOLVER that gpu/cuda makes. The triangle that is not asked for is the library's to spoil, and it does.
#include <cusolverDn.h>

#include <cmath>
#include <limits>

#include "gpu/sim/potrf.hpp"
#include "tests/cuda_stand_in/handles.hpp"

using namespace outcrop::test::stand_in;

struct cusolverDnContext : Owned {
  cusolverDnContext() : Owned("solver") {}

  cudaStream_t stream = nullptr;
};

namespace {

cusolverStatus_t status_of(cudaError_t code) {
  if (code == cudaSuccess) return CUSOLVER_STATUS_SUCCESS;
  return code == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_EXECUTION_FAILED;
}

void factor(int size, double* matrix, int* info) {
  *info = outcrop::gpu::sim::potrf(size, matrix);
  for (int column = 1; column < size; ++column) {
    for (int row = 0; row < column; ++row) matrix[column * size + row] = std::numeric_limits<double>::quiet_NaN();
  }
}

/// L L' x = side
void solve(int size, const double* matrix, double* side) {
  for (int j = 0; j < size; ++j) {
    side[j] /= matrix[j * size + j];
    for (int i = j + 1; i < size; ++i) side[i] -= matrix[j * size + i] * side[j];
  }
  for (int j = size - 1; j >= 0; --j) {
    for (int i = j + 1; i < size; ++i) side[j] -= matrix[j * size + i] * side[i];
    side[j] /= matrix[j * size + j];
  }
}

cusolverStatus_t order(cusolverDnHandle_t handle, std::function<void()> work) {
  handle->expect_current();
  if (handle->stream == nullptr) Device::get().blame("a solver without a stream");
  handle->stream->stream.add({[work = std::move(work)] {
                                if (!Device::get().fails_at_work()) work();
                              },
                              {}});
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return status_of(code);
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  handle->expect_current();
  delete handle;
  return status_of(Device::get().enter(__func__));
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return status_of(code);
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t triangle, int size,
                                         double* matrices[], int stride, int* info, int count) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return status_of(code);
  if (triangle != CUBLAS_FILL_MODE_LOWER || stride != size || size < 1 || count < 1)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return order(handle, [=] {
    for (int i = 0; i < count; ++i) factor(size, matrices[i], info + i);
  });
}

cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t triangle, int size, int num_sides,
                                         double* matrices[], int stride, double* sides[], int side_stride, int* info,
                                         int count) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return status_of(code);
  const bool is_known = triangle == CUBLAS_FILL_MODE_LOWER && num_sides == 1 && stride == size && side_stride == size;
  if (!is_known || size < 1 || count < 1) return CUSOLVER_STATUS_INVALID_VALUE;
  return order(handle, [=] {
    for (int i = 0; i < count; ++i) solve(size, matrices[i], sides[i]);
    *info = 0;
  });
}

}  // extern "C"
