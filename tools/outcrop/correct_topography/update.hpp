// --update of correct-topography: whether the products that are there would come out the same.
#pragma once

#include <optional>
#include <string>

#include "tools/outcrop/correct_topography/products.hpp"

namespace outcrop::tools {

/// nullopt: up to date. Else the reason to run, one clause naming the item that differs.
/// Products with outcrop's completion mark are judged by it; others by MintPy's rule.
std::optional<std::string> reason_to_run(const TopographyNames& names, const TopographySettings& settings,
                                         const TopographyInputs& inputs);

}  // namespace outcrop::tools
