// Planes of the step model/steps/invert_network.hpp.
#include "tools/outcrop/invert_network/maps.hpp"

#include <fmt/format.h>

#include "tools/outcrop/invert_network/products.hpp"

namespace outcrop::tools {
namespace {

MapWish quality_map(const Observation& observation) {
  MapWish map;
  map.plane = "quality";
  if (observation.is_offset()) {
    map.file = "residual.png";
    map.title = "Residual of the inversion";
    map.explanation = "Root of the sum of squared residuals of the offsets: small is good.";
    map.unit = "pixel";
  } else {
    map.file = "temporal-coherence.png";
    map.title = "Temporal coherence";
    map.explanation =
        "How well the series explains the pixel's interferograms: 1 is best; where the network is cut it "
        "says little.";
    map.range = {0, 1};
  }
  return map;
}

MapWish count_map() {
  MapWish map;
  map.plane = "count";
  map.file = "count.png";
  map.title = "Observations used";
  map.whole_numbers = true;
  map.explanation = "Pairs with a sample at the pixel that no mask leaves out.";
  return map;
}

std::string displacement_text(const InvertSettings& settings, const std::string& since) {
  switch (settings.observation.measured) {
    case Measured::phase:
      return fmt::format("Displacement in the line of sight since {}, positive towards the satellite.", since);
    case Measured::azimuth:
      return fmt::format("Displacement in azimuth since {}.", since);
    case Measured::range:
      return fmt::format("Displacement in range since {}.", since);
    case Measured::other_offset:
      break;
  }
  return fmt::format("Displacement since {}.", since);
}

std::vector<std::pair<std::string, std::string>> settings_of(const InvertSettings& settings, const InvertInputs& in) {
  std::vector<std::pair<std::string, std::string>> all{
      {"stack", in.stack.path},
      {"dates", std::to_string(in.network.num_dates())},
      {"pairs used", fmt::format("{} of {}", in.layers.size(), in.stack.dates.size())},
      {"water mask", in.water_mask ? in.water_mask->path : "none"},
      {"mask of average quality", in.quality ? in.quality->path : "none"}};
  const io::Attributes keys = settings_attributes(settings, in);
  all.insert(all.end(), keys.all().begin(), keys.all().end());
  all.emplace_back("--skip-reference", settings.skip_reference ? "yes" : "no");
  all.emplace_back("--mintpy-compat", settings.mintpy_compat ? "yes" : "no");
  return all;
}

}  // namespace

QuicklookWishes maps_of(const InvertSettings& settings, const InvertInputs& in) {
  QuicklookWishes wishes;
  wishes.rows = in.stack.rows;
  wishes.cols = in.stack.cols;
  wishes.attributes = in.stack.attributes;
  wishes.maps = {quality_map(settings.observation), count_map()};
  const std::string text = displacement_text(settings, date_text(in.network.dates.front()));
  const auto series = series_maps("timeseries", in.network.dates, 0, "displacement", "Displacement", text);
  wishes.maps.insert(wishes.maps.end(), series.begin(), series.end());
  wishes.settings = settings_of(settings, in);
  return wishes;
}

}  // namespace outcrop::tools
