// How fast a device copies, launches and solves, from tiles of made-up numbers through its own backend.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "core/backend.hpp"
#include "model/step.hpp"
#include "pipeline/device_rates.hpp"

namespace outcrop::tools {

/// What several tiles in flight took together, part by part.
struct DeviceTrial {
  std::int64_t pixels = 0;
  std::int64_t launches = 0;
  double copied_in_bytes = 0;
  double copied_out_bytes = 0;
  double assembled_bytes = 0;  ///< design matrices that the host formed
  double copy_in_s = 0;
  double solve_s = 0;
  double copy_out_s = 0;
  double assemble_s = 0;
};

/// A trial of tiles of so many pixels, after one that warms up.
DeviceTrial try_device(Backend& backend, const model::Step& step, std::int64_t tile_pixels);

/// A backend on the device to measure; who forms design matrices is part of it.
using MakeBackend = std::function<std::unique_ptr<Backend>(bool host_assembles)>;

/// All rates but the start: of both steps, structured, and batched with both ways to form design matrices. `quick`:
/// smaller problems. Takes some seconds and up to 400 MB. Throws: Errc::device when the device fails, Errc::cancelled
/// after a signal.
pipeline::DeviceRates measure_device(const MakeBackend& make_backend, bool quick, const std::atomic<int>* stop);

}  // namespace outcrop::tools
