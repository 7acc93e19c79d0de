#include "tools/outcrop/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

std::string expanded(const std::string& name, const CLI::App& command) {
  std::map<const CLI::Option*, std::string> matches;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) {
      if (known == name) return name;
      if (known.compare(0, name.size(), name) == 0) matches.emplace(option, known);
    }
  }
  if (matches.size() <= 1) return matches.empty() ? name : matches.begin()->second;
  std::vector<std::string> candidates;
  for (const auto& [option, known] : matches) candidates.push_back("--" + known);
  fail(Errc::usage, fmt::format("--{} is ambiguous: it could be {}", name, fmt::join(candidates, ", ")));
}

}  // namespace

std::vector<std::string> expand_prefixes(const std::vector<std::string>& arguments, const CLI::App& command) {
  std::vector<std::string> result;
  bool flags_ended = false;
  for (const std::string& argument : arguments) {
    flags_ended |= argument == "--";
    if (flags_ended || argument.size() < 3 || argument.compare(0, 2, "--") != 0) {
      result.push_back(argument);
      continue;
    }
    const auto equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    result.push_back("--" + expanded(name, command) + (equals == std::string::npos ? "" : argument.substr(equals)));
  }
  return result;
}

}  // namespace outcrop::tools
