// MintPy's template files: `key = value` lines with `auto` values.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace outcrop::io::mintpy {

class Template {
 public:
  Template() = default;

  /// Reads the file: split at the first '=', comment lines begin with % # or !, text after the first '#' of a value is
  /// dropped, ~ and $VARIABLES are expanded, an empty value means the key is absent, later lines win; `auto` becomes
  /// MintPy's default; then yes/true -> True, no/false -> False, none -> None in any case.
  /// Throws Errc::input naming the file when it cannot be read or is no text.
  static Template read(const std::string& path);

  std::optional<std::string> get(const std::string& key) const;
  const std::string& path() const { return path_; }

  /// What was written before `auto` was replaced: to tell a wish from a default.
  bool is_auto(const std::string& key) const;

 private:
  std::string path_;
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> was_auto_;
};

/// The value `auto` stands for, by key; nullopt for keys that have none.
std::optional<std::string> auto_value(const std::string& key);

}  // namespace outcrop::io::mintpy
