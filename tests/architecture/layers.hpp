// The include rules of the house: which room may include which, and where each library's headers may appear.
#pragma once

#include <string>
#include <vector>

namespace outcrop::architecture {

/// The rooms, in dependency order.
const std::vector<std::string>& rooms();

/// Checks every #include of one file. `path` is relative to the repository root ("io/h5/file.cpp").
/// Gives one sentence for each line that breaks a rule: "model/network.hpp:7: ...".
std::vector<std::string> check_includes(const std::string& path, const std::string& text);

/// Names in the #include lines of a text, as written between the quotes or brackets.
std::vector<std::string> includes_of(const std::string& text);

}  // namespace outcrop::architecture
