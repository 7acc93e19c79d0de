// StackBuild: small MintPy stacks for tests, with every dataset and attribute that one asks for.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tests/support/h5_build.hpp"

namespace outcrop::test {

/// Fill in, then write. Images are [pairs][rows * cols].
struct StackBuild {
  hsize_t rows = 2;
  hsize_t cols = 3;
  std::vector<std::array<std::string, 2>> pairs = {
      {"20200101", "20200113"}, {"20200113", "20200125"}, {"20200101", "20200125"}};
  std::vector<signed char> keep = {};  ///< empty: all
  std::vector<float> bperp = {};       ///< empty: pair number
  std::map<std::string, std::vector<float>> images;
  std::map<std::string, std::vector<float>> integer_images;  ///< stored as int16
  std::map<std::string, std::string> attributes = {{"FILE_TYPE", "ifgramStack"},
                                                   {"WAVELENGTH", "0.056"},
                                                   {"ALOOKS", "3"},
                                                   {"RLOOKS", "9"},
                                                   {"REF_Y", "0"},
                                                   {"REF_X", "0"}};

  std::size_t samples() const { return pairs.size() * rows * cols; }
  std::vector<float> all(float value) const { return std::vector<float>(samples(), value); }

  /// A phase and a coherence.
  StackBuild& phases() {
    images["unwrapPhase"] = all(1.5F);
    images["coherence"] = all(0.8F);
    return *this;
  }

  /// Offsets of both directions with standard deviations, and what turns them into metres.
  StackBuild& offsets() {
    for (const char* name : {"rangeOffset", "azimuthOffset"}) {
      images[name] = all(0.5F);
      images[std::string(name) + "Std"] = all(0.1F);
    }
    const std::map<std::string, std::string> more = {{"PROCESSOR", "isce"},        {"RANGE_PIXEL_SIZE", "18"},
                                                     {"AZIMUTH_PIXEL_SIZE", "42"}, {"EARTH_RADIUS", "6000000"},
                                                     {"HEIGHT", "750000"},         {"UNIT", "radian"}};
    for (const auto& [name, value] : more) attributes[name] = value;
    return *this;
  }

  void write(const std::string& path) const {
    H5Build file(path);
    std::vector<std::string> dates;
    std::vector<float> baselines = bperp;
    for (const auto& pair : pairs) dates.insert(dates.end(), pair.begin(), pair.end());
    for (std::size_t k = 0; bperp.empty() && k < pairs.size(); ++k) baselines.push_back(static_cast<float>(k));
    file.strings("date", {pairs.size(), 2}, dates.front().size(), dates);
    file.floats("bperp", {pairs.size()}, baselines);
    file.bools("dropIfgram", keep.empty() ? std::vector<signed char>(pairs.size(), 1) : keep);
    for (const auto& [name, values] : images) file.floats(name, {pairs.size(), rows, cols}, values);
    for (const auto& [name, values] : integer_images) {
      file.dataset(name, {pairs.size(), rows, cols}, H5T_STD_I16LE, H5T_NATIVE_FLOAT, values.data());
    }
    for (const auto& [name, value] : attributes) file.text_attribute(name, value);
  }
};

/// A map [rows, cols] in a file of its own.
inline void write_map(const std::string& path, const std::string& dataset, hsize_t rows, hsize_t cols,
                      const std::vector<float>& values) {
  H5Build file(path);
  file.floats(dataset, {rows, cols}, values);
}

}  // namespace outcrop::test
