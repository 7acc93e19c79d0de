// What the device programs of invert-network share: tables and planes.
#pragma once

#include <memory>
#include <vector>

#include "gpu/program.hpp"
#include "gpu/programs/network_pixels.hpp"
#include "gpu/workspace.hpp"

namespace outcrop::gpu {

class NetworkProgram : public Program {
 public:
  NetworkProgram(const model::Step& step, const SlotLayout& layout);

 protected:
  const model::InvertNetwork& parameters() const { return parameters_; }
  const std::vector<std::int32_t>& pairs_in_use() const { return pair_in_use_; }
  std::int64_t num_dates() const { return elimination_.view().num_dates; }
  bool has_covariance() const { return parameters_.covariance.has_value(); }
  std::int32_t design_rows() const { return static_cast<std::int32_t>(pair_in_use_.size()); }
  std::int32_t num_unknowns() const { return elimination_.view().num_dates - 1; }

  NetworkPixels on_device(const Slot& slot, const DeviceSlot& device) const;

  /// What assembly reads, in the memory of the host.
  NetworkPixels on_host(const Slot& slot) const;

  /// Working memory but for the islands' couplings.
  NetworkScratch carve_usual(Workspace& workspace, std::int64_t threads) const;

  float reference_quality() const { return tables_on_device_.quality_is_residual ? 0.0F : 1.0F; }
  float reference_count() const { return tables_on_device_.reference_count; }

  /// The number in the tile of the reference pixel, -1 when it is in another or there is none.
  std::int64_t reference_pixel(const TileRect& rect) const;

 private:
  void fill_scalars();
  void fill_elimination();
  void fill_columns();
  void fill_host();
  std::int32_t position_of(int date) const;
  std::int32_t edge_of(std::int32_t pair) const;

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const model::InvertNetwork& parameters_;
  model::Elimination elimination_;
  model::Weights weights_;
  model::Weights variances_;  ///< of the observations; used for the covariance only
  std::vector<double> step_yr_;
  std::vector<std::int32_t> pair_in_use_;
  NetworkTables tables_on_host_;
  NetworkTables tables_on_device_;
};

}  // namespace outcrop::gpu
