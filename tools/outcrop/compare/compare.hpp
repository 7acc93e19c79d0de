// Compares two HDF5 files dataset by dataset, in blocks of bounded memory.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "core/log.hpp"

namespace outcrop::tools {

struct CompareOptions {
  std::string reference;
  std::string other;
  double tolerance = 1e-5;        ///< of rms / max|reference|
  std::optional<double> mask_at;  ///< coherence threshold whose changed pixels are counted
};

/// Writes a line for each dataset and each attribute that differs. Gives: 0 when every dataset of the reference is in
/// the other file with the same shape, texts and NaN pattern, and within the tolerance; else 1. Attributes do not
/// count. Throws: what stops the comparison, naming the file.
int run_compare(const CompareOptions& options, std::ostream& out, Log& log);

}  // namespace outcrop::tools
