// MintPy's ifgramStack.h5: what is in it, checked against itself. Headers and small datasets only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/h5/attributes.hpp"

namespace outcrop::io::mintpy {

/// A dataset of [pairs, rows, cols] or [rows, cols].
struct ImageDataset {
  std::string name;
  std::int64_t layers = 0;  ///< 0 for a 2-D one
  bool integers = false;
  bool numeric = true;
  std::optional<std::string> modification_time;  ///< attribute MODIFICATION_TIME
};

/// The stack as the file has it, dropped pairs included.
struct Stack {
  std::string path;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::array<std::string, 2>> dates;  ///< [M0] first and second date of each pair, as text
  std::vector<bool> keep;                         ///< [M0] dropIfgram: true keeps; all true when the file has none
  std::vector<double> bperp_m;                    ///< [M0], second minus first; empty when the file has none
  std::vector<ImageDataset> images;               ///< whose last two dimensions are rows x cols
  Attributes attributes;

  const ImageDataset* find(const std::string& name) const;
};

/// Throws Errc::input, naming file, dataset and what was found, when: it is not an ifgramStack; `date` is missing or is
/// not [M0, 2]; sizes of date, bperp, dropIfgram and images disagree; LENGTH / WIDTH contradict the images; no
/// observation.
Stack read_stack(const std::string& path);

/// What kind of file it is, as MintPy judges: by the root datasets of two or more dimensions first (unwrapPhase makes
/// an ifgramStack), then by the attribute FILE_TYPE; empty when neither tells.
std::string file_type(const h5::File& file, const Attributes& attributes);

/// A 2-D map in an auxiliary file (water mask, average coherence ...): size and the name of its dataset.
struct MapFile {
  std::string path;
  std::string dataset;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// The first of `candidates` that the file has; when `candidates` is empty, the first 2-D dataset of the file.
/// Throws Errc::input when there is none.
MapFile read_map_header(const std::string& path, const std::vector<std::string>& candidates);

}  // namespace outcrop::io::mintpy
