// The products of invert-network: file names, datasets and attributes as MintPy has them, and the marks of a finished
// run.
#pragma once

#include <string>
#include <vector>

#include "io/flat_sink.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"

namespace outcrop::tools {

struct ProductNames {
  std::string series;
  std::string quality;
  std::string count;
  std::string covariance;  ///< empty: none
  std::string status;      ///< empty: none

  /// Those that are made, the series first.
  std::vector<std::string> all() const;
};

/// Given names, or MintPy's for the observation, in `out_dir`.
/// Throws Errc::usage: no .h5 or .he5 ending, the same name twice, no default for this observation; Errc::input: a
/// product would replace an input.
ProductNames product_names(const InvertFlags& flags, const InvertSettings& settings, const InvertInputs& inputs,
                           const std::string& out_dir);

/// The seven attributes by which MintPy judges whether a product is up to date.
io::Attributes settings_attributes(const InvertSettings& settings, const InvertInputs& inputs);

/// JSON text: input identity and settings that change the result; what --update compares.
std::string completion_mark(const InvertSettings& settings, const InvertInputs& inputs);

/// The files; the series last, so that its appearance says that all are there.
std::vector<io::OutputFile> products(const ProductNames& names, const InvertSettings& settings,
                                     const InvertInputs& inputs);

}  // namespace outcrop::tools
