// Reads MintPy's template files line by line, then settles `auto` and the spellings of yes, no and none.
#include "io/mintpy/template.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/error.hpp"

namespace outcrop::io::mintpy {
namespace {

constexpr std::int64_t max_bytes = std::int64_t{16} << 20;
constexpr const char* worker_key = "mintpy.compute.numWorker";

const std::map<std::string, std::string>& auto_table() {
  static const std::map<std::string, std::string> table = {
      {"mintpy.compute.maxMemory", "4"},
      {"mintpy.compute.cluster", "none"},
      {worker_key, "40"},
      {"mintpy.compute.config", "none"},
      {"mintpy.unwrapError.method", "no"},
      {"mintpy.networkInversion.weightFunc", "var"},
      {"mintpy.networkInversion.waterMaskFile", "waterMask.h5"},
      {"mintpy.networkInversion.minNormVelocity", "yes"},
      {"mintpy.networkInversion.maskDataset", "no"},
      {"mintpy.networkInversion.maskThreshold", "0.4"},
      {"mintpy.networkInversion.minRedundancy", "1.0"},
      {"mintpy.networkInversion.minTempCoh", "0.7"},
      {"mintpy.networkInversion.minNumPixel", "100"},
      {"mintpy.networkInversion.shadowMask", "yes"},
      {"mintpy.solidEarthTides", "no"},
      {"mintpy.ionosphericDelay.method", "no"},
      {"mintpy.troposphericDelay.method", "pyaps"},
      {"mintpy.deramp", "no"},
      {"mintpy.topographicResidual", "yes"},
      {"mintpy.topographicResidual.polyOrder", "2"},
      {"mintpy.topographicResidual.phaseVelocity", "no"},
      {"mintpy.topographicResidual.stepDate", "no"},
      {"mintpy.topographicResidual.stepFuncDate", "no"},
      {"mintpy.topographicResidual.excludeDate", "exclude_date.txt"},
      {"mintpy.topographicResidual.pixelwiseGeometry", "yes"},
      {"mintpy.reference.date", "reference_date.txt"},
  };
  return table;
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n\f\v";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// "~" and "~user" at the beginning; as it is when the user is not known.
std::string expand_home(const std::string& value) {
  if (value.empty() || value[0] != '~') return value;
  const auto end = std::min(value.find('/'), value.size());
  const auto user = value.substr(1, end - 1);
  const char* home = user.empty() ? std::getenv("HOME") : nullptr;
  if (home == nullptr) {
    const auto* entry = user.empty() ? ::getpwuid(::getuid()) : ::getpwnam(user.c_str());
    if (entry == nullptr) return value;
    home = entry->pw_dir;
  }
  std::string folder = home;
  if (end < value.size() && !folder.empty() && folder.back() == '/') folder.pop_back();
  return folder + value.substr(end);
}

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// $NAME and ${NAME}; a variable that is not set stays as it is written.
std::string expand_variables(const std::string& value) {
  std::string result;
  for (std::size_t at = 0; at < value.size();) {
    const bool braces = value.compare(at, 2, "${") == 0;
    std::size_t end = at + (braces ? 2 : 1);
    while (value[at] == '$' && end < value.size() && (braces ? value[end] != '}' : is_name(value[end]))) ++end;
    const auto begin = at + (braces ? 2 : 1);
    const bool closed = !braces || end < value.size();
    const char* found = end > begin && closed ? std::getenv(value.substr(begin, end - begin).c_str()) : nullptr;
    const auto next = braces && closed ? end + 1 : end;
    result += found != nullptr ? std::string(found) : value.substr(at, next - at);
    at = next;
  }
  return result;
}

std::string python_word(const std::string& value) {
  const auto word = lower(value);
  if (word == "yes" || word == "true") return "True";
  if (word == "no" || word == "false") return "False";
  if (word == "none") return "None";
  return value;
}

[[noreturn]] void refuse(const std::string& path, const std::string& found) {
  fail(Errc::input, fmt::format("reading the template {}: {}", path, found));
}

std::string read_text(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) refuse(path, fmt::format("{}; check the path", std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) refuse(path, "it is no file; name a text file");
  if (info.st_size > max_bytes) refuse(path, fmt::format("it has {} bytes, no template is so long", info.st_size));
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) refuse(path, "it cannot be read; check the permissions");
  if (text.find('\0') != std::string::npos) refuse(path, "it is no text; name a text file");
  if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);  // a byte-order mark
  return text;
}

}  // namespace

Template Template::read(const std::string& path) {
  Template result;
  result.path_ = path;
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    const auto equals = line.find('=');
    if (equals == std::string::npos || line[0] == '%' || line[0] == '#' || line[0] == '!') continue;
    auto value = line.substr(equals + 1);
    value = expand_variables(expand_home(trimmed(value.substr(0, value.find('#')))));
    if (!value.empty()) result.values_[trimmed(line.substr(0, equals))] = value;
  }
  for (auto& [key, value] : result.values_) {
    result.was_auto_[key] = value == "auto";
    if (value == "auto") value = auto_value(key).value_or(value);
    value = python_word(value);
  }
  const bool is_local = lower(result.get("mintpy.compute.cluster").value_or("")) == "local";
  if (result.is_auto(worker_key) && is_local) result.values_[worker_key] = "4";
  return result;
}

std::optional<std::string> Template::get(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool Template::is_auto(const std::string& key) const {
  const auto found = was_auto_.find(key);
  return found != was_auto_.end() && found->second;
}

std::optional<std::string> auto_value(const std::string& key) {
  const auto found = auto_table().find(key);
  return found == auto_table().end() ? std::nullopt : std::optional(found->second);
}

}  // namespace outcrop::io::mintpy
