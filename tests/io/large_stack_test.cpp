// Stacks of 3003 pairs and 10^6 pixels of which one corner was written: counted, found, and read in the memory of what
// is there.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "io/h5_source.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io;

namespace {

constexpr std::int64_t num_pairs = 3003;
constexpr std::int64_t side = 1000;
constexpr std::int64_t corner = 8;

float value_at(std::int64_t pair, std::int64_t row, std::int64_t col) {
  return static_cast<float>(pair) + 0.01F * static_cast<float>(row * corner + col);
}

/// Nothing but the last corner x corner pixels of all pairs is written.
void build(const std::string& path, bool chunked) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t shape[] = {num_pairs, side, side};
  const hsize_t chunk[] = {64, 50, 50};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) H5Pset_chunk(creation, 3, chunk);
  if (chunked) H5Pset_deflate(creation, 1);
  H5Pset_fill_time(creation, chunked ? H5D_FILL_TIME_IFSET : H5D_FILL_TIME_NEVER);
  const hid_t dataset = H5Dcreate2(file, "d", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  std::vector<float> values;
  for (std::int64_t k = 0; k < num_pairs; ++k) {
    for (std::int64_t i = 0; i < corner * corner; ++i) values.push_back(value_at(k, i / corner, i % corner));
  }
  const hsize_t start[] = {0, side - corner, side - corner};
  const hsize_t count[] = {num_pairs, corner, corner};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const hid_t memory = H5Screate_simple(3, count, nullptr);
  REQUIRE(H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data()) >= 0);
  H5Sclose(memory);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

}  // namespace

TEST_CASE("of a stack of 3 x 10^9 values only what was written is read") {
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  std::vector<std::int64_t> layers(num_pairs);
  std::iota(layers.begin(), layers.end(), std::int64_t{0});
  for (const bool chunked : {true, false}) {
    CAPTURE(chunked);
    const std::string path = folder.file(chunked ? "chunked.h5" : "contiguous.h5");
    build(path, chunked);
    const auto source = make_h5_source({{"phase", path, "d", layers}}, {}, log);
    const TileRect last{side - 2 * corner, side - corner, 2 * corner, corner};
    const auto values = test::read_tile(*source, last)[0];
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < num_pairs; ++k) {
      for (std::int64_t i = 0; i < last.pixels(); ++i) {
        const std::int64_t row = i / corner - corner;
        const float expected = row < 0 ? 0 : value_at(k, row, i % corner);
        if (values[static_cast<std::size_t>(k * last.pixels() + i)] != expected) ++wrong;
      }
    }
    CHECK(wrong == 0);
    if (!chunked) continue;
    CHECK(source->describe().planes[0].needed_bytes < 100'000'000);
    CHECK(source->raw_bytes({0, 0, 50, 50}) == 64);
    CHECK(source->scratch_bytes() < 2'000'000);
    const auto empty = test::read_tile(*source, {0, 0, 10, 50})[0];
    CHECK(std::count(empty.begin(), empty.end(), 0.0F) == static_cast<std::int64_t>(empty.size()));
  }
}

TEST_CASE("more than 2^31 values are counted and found") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const std::vector<hsize_t> shape = {3003, 1000, 1000};
  const std::vector<hsize_t> chunk = {64, 8, 8};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 3, chunk.data());
  const hid_t flat = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(flat, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(flat, H5D_FILL_TIME_NEVER);
  const std::vector<hsize_t> start = {3002, 992, 992};
  const std::vector<hsize_t> count = {1, 8, 8};
  const hid_t memory = H5Screate_simple(3, count.data(), nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const std::vector<float> values(64, 2.5F);
  for (const auto& [name, creation] : {std::pair("chunked", chunked), std::pair("flat", flat)}) {
    const hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Pclose(creation);
  }
  H5Sclose(memory);
  H5Sclose(space);
  H5Fclose(file);

  Log log(Verbosity::quiet);
  std::vector<std::int64_t> layers(3003);
  std::iota(layers.begin(), layers.end(), 0);
  const auto source = make_h5_source({{"c", path, "chunked", layers}, {"f", path, "flat", layers}}, {}, log);
  CHECK(source->describe().planes[0].decoded_bytes == 12'012'000'000);
  CHECK(source->describe().planes[1].needed_bytes == 12'012'000'000);
  // Short of a full row, so that the samples are staged.
  CHECK(source->raw_bytes({0, 0, 1000, 999}) >= 11'999'988'000);
  for (const auto& plane : test::read_tile(*source, {991, 991, 9, 9})) {
    CHECK(std::count(plane.begin(), plane.end(), 2.5F) == 64);
    CHECK(plane.back() == 2.5F);
    CHECK(std::count(plane.begin(), plane.end(), 0.0F) == 3003 * 81 - 64);
  }
}
