// What a step wants to see of its outputs: which maps, which numbers, and what the page says about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/attributes.hpp"
#include "tools/outcrop/quicklook/colours.hpp"

namespace outcrop::tools {

/// A map of one layer of an output plane.
struct MapWish {
  std::string plane;
  std::int64_t layer = 0;
  std::string file;           ///< name of the picture
  std::string title;          ///< in the picture: letters of the font, at most 32
  std::string explanation;    ///< a sentence below it
  std::string unit;           ///< of the plane
  bool handy_length = false;  ///< the unit is m: drawn as m, cm or mm, whichever gives short numbers
  Colouring colouring = Colouring::sequential;
  bool whole_numbers = false;                      ///< something counted
  std::optional<std::pair<double, double>> range;  ///< of the colours; nothing: what most values lie in
  std::string family;                              ///< maps of one family have one range; empty: its own
  int step = 0;                                    ///< where all maps of a step are 0 or NaN, it has no data
};

/// A map in another file: the temporal coherence that says which pixels count.
struct CoherenceFile {
  std::string path;
  std::string dataset;
};

/// The root mean square of a plane [D] m at each date.
struct RmsWish {
  std::string plane;
  std::vector<std::string> dates;  ///< [D]
  std::optional<CoherenceFile> coherence;
  std::string coherence_plane;  ///< of the same run, one of the maps; empty, and no file: all pixels count
};

struct QuicklookWishes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  io::Attributes attributes;  ///< of a product: pixel sizes and reference pixel
  std::vector<MapWish> maps;
  std::optional<RmsWish> rms;
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value
};

/// Maps of a series [D] m at three dates, on one scale: at a third, at two thirds and at the end of the dates other
/// than the reference date, whose displacement is 0 everywhere. Fewer when there are fewer dates.
/// `file`: beginning of the names; `title`: beginning of the titles.
std::vector<MapWish> series_maps(const std::string& plane, const std::vector<std::string>& dates,
                                 std::int64_t reference_date, const std::string& file, const std::string& title,
                                 const std::string& explanation);

/// 2020-01-31 of 20200131...; other texts as they are.
std::string date_text(const std::string& date);

}  // namespace outcrop::tools
