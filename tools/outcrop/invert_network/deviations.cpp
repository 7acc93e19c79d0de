#include "tools/outcrop/invert_network/deviations.hpp"

#include <array>

namespace outcrop::tools {

std::span<const Deviation> invert_network_deviations() {
  static constexpr std::array<Deviation, 10> table{{
      {deviation::shared_later_date, "1",
       "The perpendicular baselines are wrong, a series of least phase is relative to the shared date and shifted by "
       "one "
       "place, and redundancy is asked of every date but the shared one.",
       "Baselines and series are relative to the first date; redundancy is asked of every date but the first.", true},
      {deviation::no_reference_data, "pairs",
       "A pair whose phase at the reference pixel is NaN is lost at every pixel; one whose phase there is 0 for want "
       "of data "
       "is used without a reference. The count at the reference pixel is that of all pairs.",
       "Such pairs are left out at every pixel; the count at the reference pixel is that of the pairs in use.", true},
      {deviation::infinite_phase, "pixels", "The run stops.", "The sample is no data."},
      {deviation::infinite_offset, "pixels", "The run stops.", "The sample is no data."},
      {deviation::self_pairs, "pairs", "They count as observations and in the redundancy.", "They are left out."},
      {deviation::single_pair, "1", "The run stops.", "Two dates come out."},
      {deviation::whole_image_median, "pairs", "The median that an outlier is judged by is that of a block of rows.",
       "It is that of the whole image."},
      {deviation::squared_offset_factor, "1", "The covariance is multiplied by the pixel size once.",
       "It is multiplied by the square of the pixel size.", true},
      {deviation::geocoded_azimuth, "1", "The run stops.", "The pixel size becomes metres as in radar geometry."},
      {deviation::flags_win, "1",
       "The template wins over a flag that is not spelled as a word of its own, in full (`--mt=0.5`, `-wno`, "
       "`--mask-thr 0.5`).",
       "The flag wins in any spelling."},
  }};
  return table;
}

}  // namespace outcrop::tools
