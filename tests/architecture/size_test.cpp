// Tests that no source file outgrows what a person reads in one go, and that headers say what they are for.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/architecture/sources.hpp"

using outcrop::architecture::read_text;
using outcrop::architecture::source_files;

namespace {

constexpr auto most_lines = 400;
constexpr const char* folders[] = {"core", "model", "io", "cpu", "gpu", "pipeline", "tools", "tests", "bench"};

}  // namespace

TEST_CASE("no source file has more than 400 lines") {
  for (const char* folder : folders) {
    for (const std::string& path : source_files(folder)) {
      const std::string text = read_text(path);
      const auto lines = std::count(text.begin(), text.end(), '\n');
      CHECK_MESSAGE(lines <= most_lines, path << " has " << lines << " lines");
    }
  }
}

TEST_CASE("every header begins with what it is for") {
  for (const char* folder : folders) {
    for (const std::string& path : source_files(folder)) {
      if (path.size() < 4 || path.substr(path.size() - 4) != ".hpp") continue;
      CHECK_MESSAGE(read_text(path).rfind("// ", 0) == 0, path << " begins with no comment");
    }
  }
}
