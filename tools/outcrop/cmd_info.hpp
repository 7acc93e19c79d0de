// `outcrop info`: what a file holds and what a step would use of it.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Adds the command to the program; when it is given, `chosen` becomes its action.
void add_info(CLI::App& app, Action& chosen);

}  // namespace outcrop::tools
