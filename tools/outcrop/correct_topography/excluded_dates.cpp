#include "tools/outcrop/correct_topography/excluded_dates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

/// The first word of each line; nothing after a '#'.
std::vector<std::string> dates_of_file(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> texts;
  for (std::string line; std::getline(file, line);) {
    const std::string text = trimmed(line.substr(0, line.find('#')));
    if (!text.empty()) texts.push_back(text.substr(0, text.find_first_of(" \t,")));
  }
  if (file.bad()) fail(Errc::input, fmt::format("the list of dates {} cannot be read; check the file", path));
  return texts;
}

/// The texts an entry stands for.
std::vector<std::string> texts_of(const ExcludedEntry& entry, std::vector<std::string>& notes) {
  if (!names_file(entry.text)) return {entry.text};
  if (!std::filesystem::is_regular_file(entry.text)) {
    if (entry.required)
      fail(Errc::input, fmt::format("the list of dates to exclude {} is not there; check the name", entry.text));
    notes.push_back(fmt::format("dates to exclude: {} is not there, none is used", entry.text));
    return {};
  }
  notes.push_back(fmt::format("dates to exclude: those in {}", entry.text));
  return dates_of_file(entry.text);
}

}  // namespace

std::vector<std::string> excluded_dates(const std::vector<ExcludedEntry>& entries,
                                        const std::vector<std::string>& dates, std::vector<std::string>& notes,
                                        Log& log) {
  std::set<std::string> found;
  std::vector<std::string> unknown;
  for (const auto& entry : entries) {
    for (const auto& text : texts_of(entry, notes)) {
      const std::string date = entry.short_dates ? with_century(text) : text;
      if (std::find(dates.begin(), dates.end(), date) != dates.end()) {
        found.insert(date);
      } else {
        unknown.push_back(text);
      }
    }
  }
  if (!unknown.empty()) {
    log.warn(fmt::format("dates to exclude that the series has not are ignored: {}", fmt::join(unknown, ", ")));
  }
  return {found.begin(), found.end()};
}

}  // namespace outcrop::tools
