// Which dates are shown.
#include "tools/outcrop/quicklook/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace outcrop::tools {
namespace {

std::vector<std::int64_t> shown_dates(std::int64_t num_dates, std::int64_t reference_date) {
  std::vector<std::int64_t> others;
  for (std::int64_t d = 0; d < num_dates; ++d) {
    if (d != reference_date || num_dates == 1) others.push_back(d);
  }
  std::vector<std::int64_t> shown;
  const auto count = static_cast<std::int64_t>(others.size());
  for (std::int64_t third = 1; third <= 3; ++third) {
    const std::int64_t date = others[static_cast<std::size_t>((count * third + 2) / 3 - 1)];
    if (shown.empty() || shown.back() != date) shown.push_back(date);
  }
  return shown;
}

}  // namespace

std::vector<MapWish> series_maps(const std::string& plane, const std::vector<std::string>& dates,
                                 std::int64_t reference_date, const std::string& file, const std::string& title,
                                 const std::string& explanation) {
  std::vector<MapWish> maps;
  for (const std::int64_t date : shown_dates(static_cast<std::int64_t>(dates.size()), reference_date)) {
    MapWish map;
    map.plane = plane;
    map.layer = date;
    map.file = fmt::format("{}-{}.png", file, maps.size() + 1);
    map.title = title + " " + date_text(dates[static_cast<std::size_t>(date)]);
    map.explanation = explanation;
    map.unit = "m";
    map.handy_length = true;
    map.colouring = Colouring::diverging;
    map.family = file;
    maps.push_back(map);
  }
  return maps;
}

std::string date_text(const std::string& date) {
  const bool digits = date.size() >= 8 && std::all_of(date.begin(), date.begin() + 8,
                                                      [](char letter) { return letter >= '0' && letter <= '9'; });
  if (!digits) return date;
  return date.substr(0, 4) + "-" + date.substr(4, 2) + "-" + date.substr(6, 2);
}

}  // namespace outcrop::tools
