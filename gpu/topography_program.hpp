// What the device programs of correct-topography share: tables and planes.
#pragma once

#include "gpu/program.hpp"
#include "gpu/programs/topography_pixels.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::gpu {

class TopographyProgram : public Program {
 public:
  TopographyProgram(const model::Step& step, const SlotLayout& layout);

 protected:
  bool own_baselines() const { return tables_on_host_.own_baselines; }
  std::int32_t rank() const { return tables_on_host_.fit.rank; }
  std::int32_t design_rows() const { return tables_on_host_.fit.num_rows; }
  std::int32_t num_unknowns() const { return tables_on_host_.num_unknowns; }

  TopographyPixels on_device(const Slot& slot, const DeviceSlot& device) const;

  /// The same, of the input planes alone, in the memory of the host.
  TopographyPixels on_host(const Slot& slot) const;

 private:
  model::TopographyTables correction_;
  model::TopographyView tables_on_host_;
  model::TopographyView tables_on_device_;
};

}  // namespace outcrop::gpu
