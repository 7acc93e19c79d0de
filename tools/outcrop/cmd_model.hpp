// `outcrop model`: the published speedup model as a command.
#pragma once

#include "tools/outcrop/action.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Adds the command and its five parts; the one on the command line becomes the action `chosen`.
void add_model(CLI::App& app, Action& chosen);

}  // namespace outcrop::tools
