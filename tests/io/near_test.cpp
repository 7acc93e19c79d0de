// Bytes that the system has in memory: asked for, read as they are decoded, and no longer trusted where reads wait.
#include <doctest/doctest.h>
#include <hdf5.h>

#include "io/h5_source.hpp"
#include "io/stored_file.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io;

namespace {

/// Whether the file system tells that a file just written is in memory; some do not.
bool is_known_near(const std::string& path) { return StoredFile::open(path)->is_near(0, 8); }

test::Reading read(const std::string& path, const std::vector<std::int64_t>& layers, const TileRect& rect,
                   bool read_near) {
  Log log(Verbosity::quiet);
  const auto source = make_h5_source({{"plane", path, "d", layers}}, {.read_near = read_near}, log);
  return test::read_planes(*source, rect);
}

}  // namespace

TEST_CASE("a file says what it has in memory only where it is asked to, and nothing beyond its end") {
  const test::TempFolder folder;
  const std::string path = folder.file("x");
  test::write_bytes(path, std::string(100'000, 'x'));
  CHECK_FALSE(StoredFile::open(path, false)->is_near(0, 100'000));
  const auto file = StoredFile::open(path);
  CHECK_FALSE(file->is_near(99'999, 2));
  CHECK_FALSE(file->is_near(200'000, 1));
  std::vector<std::byte> bytes(100'000);
  file->read_near(0, bytes, "d");
  CHECK(bytes.back() == std::byte{'x'});
  if (is_known_near(path)) CHECK(file->is_near(0, 100'000));
}

TEST_CASE("what the system has in memory is read as it is decoded, what it has not before") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const std::vector<std::int64_t> layers = {8, 1, 2, 3};
  const TileRect rect{7, 0, 41, 200};
  for (const test::ImageSpec& spec : {
           test::ImageSpec{.shape = {9, 64, 200}},                         // straight to its place
           test::ImageSpec{.shape = {9, 64, 200}, .chunk = {3, 16, 32}},   // several layers at once
           test::ImageSpec{.shape = {9, 64, 200}, .type = H5T_STD_I16BE},  // converted
           test::ImageSpec{.shape = {9, 64, 200}, .chunk = {3, 16, 32}, .filters = {2, 1}, .missing = 0.2},
       }) {
    const auto truth = test::cut(test::make_image_file(path, "d", spec), 64, 200, layers, rect);
    const test::Reading near = read(path, layers, rect, true);
    const test::Reading far = read(path, layers, rect, false);
    CHECK(test::differences(near.values[0], truth) == 0);
    CHECK(test::differences(far.values[0], truth) == 0);
    CHECK(far.decoded.read == 0);
    CHECK(near.fetched + near.decoded.read > 0);
    CHECK(near.fetched + near.decoded.read <= far.fetched);  // that reads small gaps too
    if (is_known_near(path)) CHECK(near.fetched == 0);
  }
}
