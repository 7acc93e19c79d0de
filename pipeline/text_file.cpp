#include "pipeline/text_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace outcrop::pipeline {

std::string read_text_file(const std::string& wish, const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) fail(Errc::usage, fmt::format("{} {}: the file cannot be read", wish, path));
  return text.str();
}

}  // namespace outcrop::pipeline
