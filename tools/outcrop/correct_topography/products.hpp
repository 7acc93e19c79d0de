// The products of correct-topography: file names, datasets and attributes as MintPy has them, and the marks of a
// finished run.
#pragma once

#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "tools/outcrop/correct_topography/inputs.hpp"

namespace outcrop::tools {

struct TopographyNames {
  std::string corrected;
  std::string residual;  ///< empty: none
  std::string dem_error;

  /// Those that are made, the corrected series first.
  std::vector<std::string> all() const;
};

/// Given names, or MintPy's; those by default are in `out_dir` when it is not empty.
/// Throws Errc::usage: no .h5 or .he5 ending, the same name twice; Errc::input: a product would replace an input.
TopographyNames product_names(const TopographyFlags& flags, const TopographyInputs& inputs, const std::string& out_dir);

/// The four attributes by which MintPy judges whether a product is up to date.
io::Attributes settings_attributes(const TopographySettings& settings, const TopographyInputs& inputs);

/// JSON text: input identity and settings that change the result; what --update compares.
std::string completion_mark(const TopographySettings& settings, const TopographyInputs& inputs);

/// The files; the corrected series last, so that its appearance says that all are there.
std::vector<io::OutputFile> products(const TopographyNames& names, const TopographySettings& settings,
                                     const TopographyInputs& inputs);

}  // namespace outcrop::tools
