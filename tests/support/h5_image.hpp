// Datasets of random images in every storage that HDF5 has, and what HDF5 itself reads back from them.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/tile.hpp"

namespace outcrop::test {

/// While it lives, HDF5 can write and read h5py's LZF filter, and a filter 32099 that nobody has.
class ForeignFilters {
 public:
  ForeignFilters();
  ~ForeignFilters();
  ForeignFilters(const ForeignFilters&) = delete;
  ForeignFilters& operator=(const ForeignFilters&) = delete;
};

struct ImageSpec {
  std::vector<hsize_t> shape = {};
  std::vector<hsize_t> chunk = {};  ///< empty: not chunked
  hid_t type = H5T_IEEE_F32LE;
  std::vector<int> filters = {};  ///< in the order of writing
  std::optional<double> fill_value = {};
  double missing = 0;  ///< share of the chunks that are never written
  double noise = 0.2;  ///< share of the values that do not compress
  bool compact = false;
  bool latest = false;
  hsize_t user_block = 0;
  unsigned seed = 1;
};

/// Makes a file with this one dataset. Gives: all its values as HDF5 reads them, as float32.
std::vector<float> make_image_file(const std::string& path, const std::string& name, const ImageSpec& spec);

/// Adds the dataset to an open file.
std::vector<float> add_image(hid_t file, const std::string& name, const ImageSpec& spec);

/// [layers][pixels of rect] out of [.., rows, cols].
std::vector<float> cut(const std::vector<float>& all, std::int64_t rows, std::int64_t cols,
                       const std::vector<std::int64_t>& layers, const TileRect& rect);

/// How many values differ in their bits, NaN apart.
std::int64_t differences(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace outcrop::test
