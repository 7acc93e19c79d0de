// MintPy's time series and geometry files: what is in them, checked against itself. Headers and small datasets only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/h5/attributes.hpp"

namespace outcrop::io::mintpy {

/// A root dataset of a series file beside /timeseries.
struct OtherDataset {
  std::string name;
  bool is_image = false;  ///< its last two dimensions are rows x cols
};

/// A file with the dataset timeseries [D, rows, cols].
struct Series {
  std::string path;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::string> dates;   ///< [D] as text, each once, in the order of the file
  std::vector<double> bperp_m;      ///< [D] perpendicular baselines; empty when the file has none
  std::vector<OtherDataset> other;  ///< by name
  Attributes attributes;
};

/// Throws Errc::input, naming file, dataset and what was found, when: it is not a time series; `date` is missing; sizes
/// of date, bperp and timeseries disagree; LENGTH / WIDTH contradict the series; a date is there twice.
Series read_series(const std::string& path);

/// A geometry file. Its datasets may have any size here.
struct Geometry {
  std::string path;
  std::vector<std::vector<std::int64_t>> shapes;  ///< of `datasets`
  std::vector<std::string> datasets;
  std::vector<std::string> bperp_dates;  ///< [Dg] of the layers of bperp; empty when there is no bperp
  Attributes attributes;

  /// The dataset's shape; empty when there is none.
  std::vector<std::int64_t> shape_of(const std::string& dataset) const;
};

/// Throws Errc::input when bperp is there and not [Dg, rows, cols] with its dates.
Geometry read_geometry(const std::string& path);

}  // namespace outcrop::io::mintpy
