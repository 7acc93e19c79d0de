// The command correct-topography.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Adds the command; `chosen` becomes its action when it is the one on the command line.
void add_correct_topography(CLI::App& app, Action& chosen);

}  // namespace outcrop::tools
