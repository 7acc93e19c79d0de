// Chunked products of the flat sink: every element at its place as HDF5 sees it, whatever the tiles; equal bytes.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "io/flat_sink.hpp"
#include "io/h5/dataset.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop::io;
using outcrop::DType;
using outcrop::TileGrid;
using outcrop::TileRect;
using outcrop::test::read_bytes;
using outcrop::test::TempFolder;

namespace {

constexpr std::int64_t num_rows = 13;
constexpr std::int64_t num_cols = 11;

outcrop::Log& quiet() {
  static outcrop::Log log(outcrop::Verbosity::quiet);
  return log;
}

/// A matrix a pixel, a cube in chunks of two layers, a map, and a contiguous map between them.
std::vector<OutputFile> outputs(const TempFolder& folder) {
  OutputFile file;
  file.path = folder.file("out.h5");
  file.small.push_back({"date", std::vector<std::string>{"20200101", "20200102"}, {}, {}});
  file.tiled = {{"matrix", "matrix", 6, false, DType::f32, {}, {2, 3}, 4, 5},
                {"flat", "flat", 1, true, DType::f32, {}},
                {"cube", "cube", 5, false, DType::u8, {}, {}, 4, 5, 2},
                {"map", "map", 1, true, DType::f32, {}, {}, 100, 3}};
  return {file};
}

double value_at(std::int64_t layer, std::int64_t row, std::int64_t col) {
  return static_cast<double>((layer * 17 + row * 19 + col * 3 + 1) % 251);
}

template <class T>
void write_plane(TileSink& sink, int plane, const TileRect& rect, std::int64_t gap) {
  const auto depth = sink.planes()[static_cast<std::size_t>(plane)].depth;
  const auto stride = rect.cols + gap;
  const auto layer_stride = stride * rect.rows;
  std::vector<T> values(static_cast<std::size_t>(depth * layer_stride), T{99});
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t r = 0; r < rect.rows; ++r) {
      for (std::int64_t c = 0; c < rect.cols; ++c) {
        values[static_cast<std::size_t>(k * layer_stride + r * stride + c)] =
            static_cast<T>(value_at(k, rect.row + r, rect.col + c));
      }
    }
  }
  const auto element = static_cast<std::int64_t>(sizeof(T));
  const auto bytes = sink.write(
      {plane, rect, reinterpret_cast<const std::byte*>(values.data()), layer_stride * element, stride * element});
  CHECK(bytes == depth * rect.pixels() * element);
}

void write_tile(TileSink& sink, const TileRect& rect, std::int64_t gap) {
  write_plane<float>(sink, 0, rect, gap);
  write_plane<float>(sink, 1, rect, gap);
  write_plane<std::uint8_t>(sink, 2, rect, gap);
  write_plane<float>(sink, 3, rect, gap);
}

std::string written_in_tiles(std::int64_t rows, std::int64_t cols, std::int64_t gap, const TempFolder& folder) {
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  const TileGrid grid(num_rows, num_cols, rows, cols);
  for (std::int64_t tile = grid.count() - 1; tile >= 0; --tile) write_tile(*sink, grid.rect(tile), gap);
  sink->commit({{"outcrop.run_id", "1"}});
  return read_bytes(folder.file("out.h5"));
}

void check_dataset(const h5::File& file, const std::string& name, std::int64_t depth) {
  CAPTURE(name);
  const auto values = h5::Dataset::open(file, name).read_numbers();
  REQUIRE(static_cast<std::int64_t>(values.size()) == depth * num_rows * num_cols);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < depth * num_rows * num_cols; ++i) {
    const auto row = i / num_cols % num_rows;
    if (values[static_cast<std::size_t>(i)] != value_at(i / (num_rows * num_cols), row, i % num_cols)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("HDF5 finds every element of chunked products where it belongs, and equal contents are equal bytes") {
  const TempFolder first;
  const auto expected = written_in_tiles(num_rows, num_cols, 0, first);
  const auto file = h5::File::open(first.file("out.h5"));
  check_dataset(file, "matrix", 6);
  check_dataset(file, "flat", 1);
  check_dataset(file, "cube", 5);
  check_dataset(file, "map", 1);
  for (const auto& [rows, cols] : {std::pair<int, int>{4, 5}, {3, 4}, {1, 1}, {8, 11}, {5, 10}}) {
    for (const int gap : {0, 3}) {
      const TempFolder folder;
      CHECK(written_in_tiles(rows, cols, gap, folder) == expected);
    }
  }
}

TEST_CASE("chunked products have the shape and the chunks that were asked for, without filters") {
  const TempFolder folder;
  written_in_tiles(num_rows, num_cols, 0, folder);
  const auto file = h5::File::open(folder.file("out.h5"));
  const auto matrix = h5::Dataset::open(file, "matrix").info();
  CHECK(matrix.shape == std::vector<std::int64_t>{2, 3, num_rows, num_cols});
  CHECK(matrix.chunk == std::vector<std::int64_t>{2, 3, 4, 5});
  CHECK(matrix.filters.empty());
  CHECK(h5::Dataset::open(file, "cube").info().chunk == std::vector<std::int64_t>{2, 4, 5});
  CHECK(h5::Dataset::open(file, "map").info().chunk == std::vector<std::int64_t>{num_rows, 3});
  CHECK(h5::Dataset::open(file, "flat").info().layout == h5::Layout::contiguous);
}

TEST_CASE("threads may write different parts of one chunk at the same time") {
  const TempFolder alone;
  const auto expected = written_in_tiles(num_rows, num_cols, 0, alone);
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  const TileGrid grid(num_rows, num_cols, 3, 2);
  std::vector<std::thread> threads;
  for (std::int64_t worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&, worker] {
      for (auto tile = worker; tile < grid.count(); tile += 4) write_tile(*sink, grid.rect(tile), 1);
    });
  }
  for (auto& thread : threads) thread.join();
  sink->commit({{"outcrop.run_id", "1"}});
  CHECK(read_bytes(folder.file("out.h5")) == expected);
}

TEST_CASE("pixels that were never written are zeros") {
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  write_tile(*sink, {0, 0, 4, 5}, 0);
  sink->commit({});
  const auto values = h5::Dataset::open(h5::File::open(folder.file("out.h5")), "matrix").read_numbers();
  CHECK(values[0] == value_at(0, 0, 0));
  CHECK(values[5] == 0);
  CHECK(values.back() == 0);
}
