// Arguments as MintPy's users type them: unambiguous prefixes of long flags stand for the flag.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace outcrop::tools {

/// Replaces prefixes of long flags of `command` by the flags, also in --flag=value; leaves exact flags, values and all
/// after "--" alone. After --then STEP the flags are those of the subcommand STEP of `command`.
/// Throws Errc::usage naming the candidates when a prefix is ambiguous, or the steps that can follow --then.
std::vector<std::string> expand_prefixes(const std::vector<std::string>& arguments, const CLI::App& command);

}  // namespace outcrop::tools
