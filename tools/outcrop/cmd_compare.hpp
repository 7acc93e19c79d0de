// The command compare.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Adds the command; `chosen` becomes its action when it is the one on the command line.
void add_compare(CLI::App& app, Action& chosen);

}  // namespace outcrop::tools
