// In MintPy some spellings of a flag lose against the template; here a flag wins in any spelling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/mintpy/template.hpp"
#include "tools/outcrop/invert_network/settings.hpp"

namespace outcrop::tools {

/// Whether a setting is another one than in MintPy, where a flag wins over the template only when `command_line` has it
/// as a word of its own, in full: not `--mt=0.5`, `-wno` or an abbreviation.
bool flags_win(const InvertFlags& flags, const std::optional<io::mintpy::Template>& given,
               const std::vector<std::string>& command_line);

}  // namespace outcrop::tools
