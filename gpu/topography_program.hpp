// What the device programs of correct-topography share: tables and planes.
#pragma once

#include "gpu/program.hpp"
#include "gpu/programs/topography_pixels.hpp"
#include "model/topography_fit.hpp"

namespace outcrop::gpu {

class TopographyProgram : public Program {
 public:
  TopographyProgram(const model::Step& step, const SlotLayout& layout);

 protected:
  const model::TopographyFit& fit() const { return fit_; }
  const model::SharedBaselines& shared() const { return shared_; }
  std::int32_t design_rows() const { return fit_.num_rows; }
  std::int32_t num_unknowns() const { return fit_.true_rank + 1; }

  TopographyPixels on_device(const Slot& slot, const DeviceSlot& device) const;

  /// The same, of the input planes alone, in the memory of the host.
  TopographyPixels on_host(const Slot& slot) const;

 private:
  void fill_scalars(const model::CorrectTopography& parameters);
  void fill_fit();
  void fill_shared(const model::CorrectTopography& parameters);

  model::TopographyFit fit_;
  model::SharedBaselines shared_;  ///< empty where pixels have baselines of their own
  TopographyTables tables_on_host_;
  TopographyTables tables_on_device_;
};

}  // namespace outcrop::gpu
