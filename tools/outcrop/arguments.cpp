#include "tools/outcrop/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <optional>

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

constexpr const char* then_flag = "--then";

/// The command of the step that --then names.
const CLI::App& step_after(const std::optional<std::string>& named, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* step : command.get_subcommands({})) {
    if (named && step->get_name() == *named) return *step;
    names.push_back(step->get_name());
  }
  fail(Errc::usage, fmt::format("{} {}: what can follow is {}", then_flag, named ? *named : "without a step",
                                fmt::join(names, ", ")));
}

/// From --then on: the flag, the name of a step and the arguments of that step.
std::vector<std::string> expand_then(std::vector<std::string> arguments, const CLI::App& command) {
  const std::string& first = arguments.front();
  if (first != then_flag) {  // --then=STEP
    arguments.insert(arguments.begin() + 1, first.substr(first.find('=') + 1));
  }
  const auto named = arguments.size() > 1 ? std::optional(arguments[1]) : std::nullopt;
  auto result = expand_prefixes({arguments.begin() + 1, arguments.end()}, step_after(named, command));
  result.insert(result.begin(), then_flag);
  return result;
}

}  // namespace

std::vector<std::string> expand_prefixes(const std::vector<std::string>& arguments, const CLI::App& command) {
  std::vector<std::string> result;
  bool flags_ended = false;
  const bool has_then = command.get_option_no_throw(then_flag) != nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    flags_ended |= argument == "--";
    if (has_then && !flags_ended && (argument == then_flag || argument.starts_with("--then="))) {
      const auto tail = expand_then({arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end()}, command);
      result.insert(result.end(), tail.begin(), tail.end());
      return result;
    }
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
