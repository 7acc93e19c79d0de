// What the device programs of invert-network share: tables and planes.
#pragma once

#include "gpu/program.hpp"
#include "gpu/programs/network_pixels.hpp"
#include "gpu/workspace.hpp"
#include "model/inversion_tables.hpp"

namespace outcrop::gpu {

class NetworkProgram : public Program {
 public:
  NetworkProgram(const model::Step& step, const SlotLayout& layout);

 protected:
  std::int64_t num_dates() const { return tables_on_host_.plan.num_dates; }
  bool has_covariance() const { return tables_on_host_.has_covariance; }
  std::int32_t design_rows() const { return tables_on_host_.num_in_use; }
  std::int32_t num_unknowns() const { return tables_on_host_.plan.num_dates - 1; }

  NetworkPixels on_device(const Slot& slot, const DeviceSlot& device) const;

  /// What assembly reads, in the memory of the host.
  NetworkPixels on_host(const Slot& slot) const;

  /// Working memory but for the islands' couplings.
  NetworkScratch carve_usual(Workspace& workspace, std::int64_t threads) const;

  float reference_quality() const { return tables_on_host_.quality_is_residual ? 0.0F : 1.0F; }
  float reference_count() const { return tables_on_host_.reference_count; }

  /// The number in the tile of the reference pixel, -1 when it is in another or there is none.
  std::int64_t reference_pixel(const TileRect& rect) const;

 private:
  model::InversionTables inversion_;
  model::InversionView tables_on_host_;
  model::InversionView tables_on_device_;
};

}  // namespace outcrop::gpu
