// The command correct-topography.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

struct TopographyFlags;

/// Adds the command; `chosen` becomes its action when it is the one on the command line.
void add_correct_topography(CLI::App& app, Action& chosen);

/// The options of its own, but for the series itself.
void add_topography_options(CLI::App& command, TopographyFlags& flags);

}  // namespace outcrop::tools
