// TopographyTables: what is the same at all pixels of correct-topography, made once from its parameters. A backend puts
// the arrays where its pixels can read them.
#pragma once

#include <cstdint>

#include "model/pixel/project.hpp"
#include "model/steps/correct_topography.hpp"
#include "model/topography_fit.hpp"

namespace outcrop::model {

/// The planes of one slot as a pixel sees them; absent ones are null. Rows of [depth] planes are `stride` pixels apart.
struct TopographyPlanes {
  std::int64_t stride = 0;
  std::int64_t first_col = 0;           ///< of the tile in the scene
  std::int64_t num_cols = 1;            ///< of the tile
  const float* series = nullptr;        ///< [D] m
  const float* bperp = nullptr;         ///< [D] m
  const float* incidence = nullptr;     ///< [1] deg
  const float* slant_range = nullptr;   ///< [1] m
  const float* quality_mask = nullptr;  ///< [1]
  float* corrected = nullptr;           ///< [D] m
  float* residual = nullptr;            ///< [D] m
  float* dem_error = nullptr;           ///< [1] m
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
};

/// What a pixel needs of TopographyTables: plain data, the same on the host and on a device.
struct TopographyView {
  pixel::FitView fit;
  std::int32_t reference_date = 0;
  bool own_baselines = true;  ///< each pixel has its own; else `shared`
  pixel::SharedBaselineView shared;
  bool columns_dependent = false;   ///< of the shared columns
  bool columns_surprising = false;  ///< ... although none is 0 and there are rows enough
  bool rows_enough = true;          ///< more rows than shared columns: c need not be dependent
  bool empty_by_mean = false;
  double incidence_deg = 0;  ///< where there is no plane
  double first_range_m = 0;  ///< where there is no plane: at column 0 of the scene
  double range_per_column_m = 0;
  std::int32_t num_unknowns = 0;  ///< of the batched solver: shared columns and the pixel's own; 0: the structured one
  bool all_deficient = false;     ///< of the batched solver: the shared baselines are no independent column
};

/// Owns the arrays of a TopographyView.
class TopographyTables {
 public:
  /// Expects: the step is correct-topography.
  explicit TopographyTables(const Step& step);

  const TopographyFit& fit() const { return fit_; }
  const SharedBaselines& shared() const { return shared_; }

  /// Of arrays in the memory of the host; valid while the tables are.
  TopographyView view() const;

  /// Calls place(values, pointer) for every array of the view. `pointer`: the view's member that has to point at them.
  template <class Place>
  void place_arrays(TopographyView& view, const Place& place) const {
    place(fit_.row_date, view.fit.row_date);
    place(fit_.row_factor, view.fit.row_factor);
    place(fit_.basis, view.fit.basis);
    place(fit_.predict, view.fit.predict);
    place(fit_.gram, view.fit.gram);
    if (!fit_.row_minus.empty()) place(fit_.row_minus, view.fit.row_minus);  // null says that rows are dates
    if (view.own_baselines) return;
    place(shared_.baseline_m, view.shared.baseline_m);
    place(shared_.slope, view.shared.slope);
    place(shared_.column, view.shared.column);
    place(fit_.data, view.shared.data);
  }

 private:
  void fill_scalars(const CorrectTopography& parameters);

  TopographyFit fit_;
  SharedBaselines shared_;  ///< empty where pixels have baselines of their own
  TopographyView scalars_;  ///< its arrays are not to be used
};

}  // namespace outcrop::model
