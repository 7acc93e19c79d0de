// The corrections that MintPy's workflow makes between the inversion and the DEM error: one pass leaves them out.
#pragma once

#include <optional>
#include <string>

#include "io/mintpy/template.hpp"

namespace outcrop::tools {

/// The first of them that the template turns on, as "KEY = VALUE"; nullopt: none, or no template. A key that is absent
/// turns nothing on; `auto` is MintPy's default, which is on for the tropospheric delay.
std::optional<std::string> correction_between(const std::optional<io::mintpy::Template>& given);

/// Throws Errc::usage when the template turns one on, naming key and value and what to do.
void refuse_correction_between(const std::optional<io::mintpy::Template>& given);

}  // namespace outcrop::tools
