// Contents of a file and its numbers block by block, whatever their rank.
#include "io/contents.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop::io;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

outcrop::Log& quiet() {
  static outcrop::Log log(outcrop::Verbosity::quiet);
  return log;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

void build(const std::string& path) {
  H5Build file(path);
  file.floats("one", {5}, counting(5));
  file.floats("two", {3, 4}, counting(12));
  file.floats("three", {2, 3, 4}, counting(24));
  file.floats("four", {2, 2, 3, 4}, counting(48));
  file.floats("scalar", {}, {42});
  file.bools("flag", {1, 0, 1});
  file.strings("date", {2}, 8, {"20200101", "20200102"});
  file.text_attribute("UNIT", "m");
  file.text_attribute("note", "x", "/two");
}

}  // namespace

TEST_CASE("datasets are listed with size, kind, storage and attributes") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  build(path);
  const auto contents = read_contents(path);
  CHECK(contents.attributes.get("UNIT") == "m");
  REQUIRE(contents.datasets.size() == 7);
  REQUIRE(contents.find("two") != nullptr);
  CHECK(contents.find("two")->shape == std::vector<std::int64_t>{3, 4});
  CHECK(contents.find("two")->storage == "contiguous, float32");
  CHECK(contents.find("two")->attributes.get("note") == "x");
  CHECK(contents.find("date")->kind == ValueKind::text);
  CHECK(contents.find("flag")->kind == ValueKind::numbers);
  CHECK(contents.find("gone") == nullptr);
  CHECK(read_texts(path, "date") == std::vector<std::string>{"20200101", "20200102"});
}

TEST_CASE("numbers of every rank are read as layers, rows and columns") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  build(path);
  const auto read = [&](const char* name, const outcrop::TileRect& rect) {
    return open_blocks(path, name, quiet())->read(rect);
  };
  CHECK(read("one", {1, 0, 3, 1}) == std::vector<double>{1, 2, 3});
  CHECK(read("flag", {0, 0, 3, 1}) == std::vector<double>{1, 0, 1});
  CHECK(read("scalar", {0, 0, 1, 1}) == std::vector<double>{42});
  CHECK(read("two", {1, 2, 2, 2}) == std::vector<double>{6, 7, 10, 11});
  CHECK(read("three", {1, 2, 1, 2}) == std::vector<double>{6, 7, 18, 19});
  CHECK(read("four", {2, 3, 1, 1}) == std::vector<double>{11, 23, 35, 47});
  const auto four = open_blocks(path, "four", quiet());
  CHECK(four->layers() == 4);
  CHECK(four->rows() == 3);
  CHECK(four->cols() == 4);
  CHECK(contains(error_of([&] { read("gone", {0, 0, 1, 1}); }), "gone"));
}
