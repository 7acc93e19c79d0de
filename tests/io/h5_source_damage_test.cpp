// Damaged, cut-off and hostile files end in a sentence, never in wrong numbers or a crash.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>

#include "io/h5/chunk_index.hpp"
#include "io/h5_source.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io;
using outcrop::test::contains;
using outcrop::test::error_of;

namespace {

std::unique_ptr<TileSource> open(const std::string& path, std::vector<std::int64_t> layers) {
  Log log(Verbosity::quiet);
  return make_h5_source({{"plane", path, "d", std::move(layers)}}, {}, log);
}

/// Offset and bytes of the chunk of that number.
h5::StoredChunk find_chunk(const std::string& path, std::int64_t number) {
  const auto dataset = h5::Dataset::open(h5::File::open(path), "d");
  return *h5::build_chunk_index(dataset, *StoredFile::open(path)).index.find(number);
}

void overwrite(const std::string& path, std::int64_t offset, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset);
  file << bytes;
}

Errc code_of(const std::string& path, const TileRect& rect) {
  try {
    test::read_tile(*open(path, {0, 1, 2, 3}), rect);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::cancelled;
}

}  // namespace

TEST_CASE("a damaged chunk is named, and the others are still read") {
  for (const std::vector<int>& filters : {std::vector<int>{2, 1}, {32000}, {3}, {2, 1, 3}}) {
    const test::TempFolder folder;
    const std::string path = folder.file("x.h5");
    test::make_image_file(path, "d", {.shape = {4, 60, 60}, .chunk = {2, 20, 20}, .filters = filters, .noise = 0});
    const auto chunk = find_chunk(path, 9 + 3 + 2);
    overwrite(path, chunk.address + 1, std::string(static_cast<std::size_t>(chunk.bytes / 2), '\xa5'));
    const auto source = open(path, {0, 1, 2, 3});
    const auto text = error_of([&] { test::read_tile(*source, {0, 0, 60, 60}); });
    CHECK(contains(text, "chunk (1, 1, 2)"));
    CHECK(contains(text, "d in " + path));
    CHECK(code_of(path, {0, 0, 60, 60}) == Errc::corrupt);
    CHECK(code_of(path, {0, 0, 20, 60}) == Errc::cancelled);
  }
}

TEST_CASE("a chunk that was written raw is read with its mask") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  auto truth = test::make_image_file(path, "d", {.shape = {4, 60, 60}, .chunk = {2, 20, 20}, .filters = {2, 1}});
  std::vector<float> plain(2 * 20 * 20);
  std::iota(plain.begin(), plain.end(), 0.5F);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  const hsize_t offset[] = {2, 20, 40};
  CHECK(H5Dwrite_chunk(dataset, H5P_DEFAULT, 3, offset, plain.size() * sizeof(float), plain.data()) >= 0);
  H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, truth.data());
  H5Dclose(dataset);
  H5Fclose(file);
  const auto got = test::read_tile(*open(path, {0, 1, 2, 3}), {0, 0, 60, 60});
  CHECK(test::differences(got[0], truth) == 0);
  CHECK(got[0][(2 * 60 + 20) * 60 + 40] == 0.5F);
}

TEST_CASE("a file that is cut off after it was opened is reported") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{}, {4, 20, 20}}) {
    test::make_image_file(path, "d", {.shape = {4, 60, 60}, .chunk = chunk, .noise = 1});
    const auto source = open(path, {0, 1, 2, 3});
    std::filesystem::resize_file(path, 30'000);
    const auto text = error_of([&] { test::read_tile(*source, {0, 0, 60, 60}); });
    CHECK(contains(text, "cut off"));
    CHECK(contains(text, path));
    CHECK(contains(text, "offset"));
  }
}

TEST_CASE("a chunk index with any byte changed gives values or a sentence, and ends") {
  const test::TempFolder folder;
  const std::string good = folder.file("good.h5");
  const std::string path = folder.file("x.h5");
  test::make_image_file(good, "d", {.shape = {4, 60, 60}, .chunk = {1, 10, 10}, .filters = {1}});
  const std::string bytes = test::read_bytes(good);
  std::vector<std::size_t> nodes;
  for (std::size_t at = bytes.find("TREE"); at != std::string::npos; at = bytes.find("TREE", at + 1))
    nodes.push_back(at);
  REQUIRE(nodes.size() >= 3);
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string bad = bytes;
    const std::size_t node = nodes[random() % nodes.size()];
    const std::size_t at = std::min(node + random() % 400, bad.size() - 1);
    bad[at] = static_cast<char>(round % 3 == 0 ? 0xff : random());
    test::write_bytes(path, bad);
    try {
      test::read_tile(*open(path, {0, 1, 2, 3}), {0, 0, 60, 60});
    } catch (const Error& error) {
      const bool expected = error.code() == Errc::corrupt || error.code() == Errc::input || error.code() == Errc::io;
      CHECK_MESSAGE(expected, error.what());
      ++refused;
    }
  }
  CHECK(refused > 50);
}

TEST_CASE("a chunk index that goes round in circles is refused") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  test::make_image_file(path, "d", {.shape = {4, 100, 100}, .chunk = {1, 10, 10}, .filters = {1}});
  std::string bytes = test::read_bytes(path);
  int changed = 0;
  for (std::size_t at = bytes.find("TREE"); at != std::string::npos; at = bytes.find("TREE", at + 1)) {
    if (bytes[at + 4] != 1 || bytes[at + 5] == 0) continue;
    const std::uint64_t self = at;
    std::memcpy(bytes.data() + at + 24 + 8 * 5, &self, sizeof self);
    ++changed;
  }
  REQUIRE(changed > 0);
  test::write_bytes(path, bytes);
  const auto text = error_of([&] { open(path, {0}); });
  CHECK(contains(text, "level"));
  CHECK(contains(text, "d in " + path));
}
