// The command `outcrop measure`.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Adds the command; when it is chosen on the command line, `chosen` becomes its work.
void add_measure(CLI::App& app, Action& chosen);

}  // namespace outcrop::tools
