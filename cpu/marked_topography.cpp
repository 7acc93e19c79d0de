// Marked pixels of the step correct-topography.
#include <memory>

#include "cpu/marked_pixels.hpp"
#include "cpu/reference/correct_topography.hpp"
#include "cpu/topography_planes.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::cpu {
namespace {

using model::CorrectTopography;
using reference::TopographyPixel;

/// What a pixel's column of baselines is like.
enum class Column { independent, dependent, zero };

class MarkedTopography {
 public:
  MarkedTopography(const model::Step& step, const SlotLayout& layout)
      : owner_(step.parameters),
        parameters_(step.as<CorrectTopography>()),
        tables_(step),
        planes_(find_topography_planes(step, layout)) {}

  void run(Slot& slot, const ParallelFor& parallel) const {
    const CorrectTopographyPlanes planes = planes_of(slot, planes_);
    const std::vector<std::int64_t> pixels = find_marked(planes.status, planes.num_pixels);
    if (pixels.empty()) return;
    std::vector<Column> columns(pixels.size());
    parallel.run(static_cast<std::int64_t>(pixels.size()), [&](std::int64_t i, int) {
      const auto at = static_cast<std::size_t>(i);
      const TopographyPixel pixel = pixel_of(planes, pixels[at]);
      write(planes, pixels[at], reference::correct_topography(parameters_, pixel));
      columns[at] = column_of(pixel);
    });
    for (std::size_t i = 0; i < pixels.size(); ++i) count(planes.status[pixels[i]], columns[i], slot.tally);
  }

 private:
  TopographyPixel pixel_of(const CorrectTopographyPlanes& planes, std::int64_t at) const {
    TopographyPixel pixel;
    for (std::int64_t date = 0; date < parameters_.num_dates(); ++date) {
      pixel.series_m.push_back(planes.series[date * planes.stride + at]);
      if (planes.bperp != nullptr) pixel.bperp_m.push_back(planes.bperp[date * planes.stride + at]);
    }
    pixel.incidence_deg =
        planes.incidence != nullptr ? static_cast<double>(planes.incidence[at]) : parameters_.incidence_deg.value_or(0);
    const model::RangeLine line = parameters_.slant_range.value_or(model::RangeLine{});
    pixel.slant_range_m = planes.slant_range != nullptr ? static_cast<double>(planes.slant_range[at])
                                                        : line.first_m + line.per_column_m * column(planes, at);
    if (planes.quality_mask != nullptr) pixel.quality = planes.quality_mask[at];
    return pixel;
  }

  static double column(const CorrectTopographyPlanes& planes, std::int64_t at) {
    return static_cast<double>(planes.first_col + at % planes.num_cols);
  }

  static void write(const CorrectTopographyPlanes& planes, std::int64_t at, const reference::TopographyAnswer& answer) {
    for (std::size_t date = 0; date < answer.corrected_m.size(); ++date) {
      const std::int64_t layer = static_cast<std::int64_t>(date) * planes.stride + at;
      planes.corrected[layer] = static_cast<float>(answer.corrected_m[date]);
      if (planes.residual != nullptr) planes.residual[layer] = static_cast<float>(answer.residual_m[date]);
    }
    planes.dem_error[at] = static_cast<float>(answer.dem_error_m);
    planes.status[at] = static_cast<std::uint8_t>(answer.status);
  }

  /// As the structured fit judges it.
  Column column_of(const TopographyPixel& pixel) const {
    if (!parameters_.bperp_m.empty()) {
      const model::SharedBaselines& shared = tables_.shared();
      return shared.zero ? Column::zero : shared.dependent ? Column::dependent : Column::independent;
    }
    const model::pixel::FitView fit = tables_.fit().view();
    const auto& baseline = pixel.bperp_m;
    const auto reference = static_cast<double>(baseline[static_cast<std::size_t>(parameters_.reference_date)]);
    std::vector<double> rows(static_cast<std::size_t>(fit.num_rows));
    std::vector<double> parts(static_cast<std::size_t>(fit.rank));
    std::vector<double> of_y(static_cast<std::size_t>(fit.rank));
    model::pixel::rows_of_dates(
        fit,
        [&](std::int32_t date) { return static_cast<double>(baseline[static_cast<std::size_t>(date)]) - reference; },
        rows.data());
    const double* const c = rows.data();
    const auto moments = model::pixel::coefficients(fit, c, c, parts.data(), of_y.data());
    const auto sums = model::pixel::remainder(fit, true, c, c, parts.data(), of_y.data(), moments);
    if (sums.whole == 0) return Column::zero;
    return sums.square > model::pixel::dependent_square * sums.whole ? Column::independent : Column::dependent;
  }

  /// Shared columns that depend on each other are counted where pixels are marked: they are not the pixel's.
  void count(std::uint8_t status, Column column, Tally& tally) const {
    ++tally.status[status];
    const model::TopographyView view = tables_.view();
    if (column == Column::zero) ++tally.deviations[model::no_baseline];
    if (column == Column::dependent && view.rows_enough && !view.columns_surprising)
      ++tally.deviations[model::dependent_columns];
  }

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const CorrectTopography& parameters_;
  model::TopographyTables tables_;
  TopographyPlaneIndices planes_;
};

}  // namespace

MarkedSolver make_marked_topography_solver(const model::Step& step, const SlotLayout& layout) {
  const auto marked = std::make_shared<const MarkedTopography>(step, layout);
  return [marked](Slot& slot, const ParallelFor& parallel) { marked->run(slot, parallel); };
}

}  // namespace outcrop::cpu
