// Samples of maps: the same whatever tiles, order and threads brought them.
#include "tools/outcrop/quicklook/map_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "io/memory_sink.hpp"
#include "tests/support/error_text.hpp"
#include "tools/outcrop/quicklook/map_sink.hpp"

using namespace outcrop;
using tools::MapGrid;
using tools::MapSamples;

namespace {

constexpr std::int64_t depth = 3;
const std::vector<io::SinkPlane> planes{{"series", depth, DType::f32}, {"status", 1, DType::u8}};

struct Image {
  Image(std::int64_t image_rows, std::int64_t image_cols) : rows(image_rows), cols(image_cols) {
    std::mt19937 random(5);
    std::normal_distribution<float> noise(0, 0.01F);
    for (std::int64_t i = 0; i < depth * rows * cols; ++i) series.push_back(noise(random));
    for (std::int64_t i = 0; i < rows * cols; ++i) status.push_back(static_cast<std::uint8_t>(i % 251));
    series[1] = std::numeric_limits<float>::quiet_NaN();
  }

  /// A rectangle of a plane, as a tile of its own in memory.
  void show(MapSamples& samples, const TileRect& rect) const {
    std::vector<float> tile;
    std::vector<std::byte> bytes;
    for (std::int64_t k = 0; k < depth; ++k) {
      for (std::int64_t r = rect.row; r < rect.row + rect.rows; ++r) {
        for (std::int64_t c = rect.col; c < rect.col + rect.cols; ++c) {
          tile.push_back(series[static_cast<std::size_t>((k * rows + r) * cols + c)]);
          if (k == 0) bytes.push_back(std::byte{status[static_cast<std::size_t>(r * cols + c)]});
        }
      }
    }
    samples.note({0, rect, reinterpret_cast<const std::byte*>(tile.data()), rect.pixels() * 4, rect.cols * 4});
    samples.note({1, rect, bytes.data(), rect.pixels(), rect.cols});
  }

  std::int64_t rows;
  std::int64_t cols;
  std::vector<float> series;
  std::vector<std::uint8_t> status;
};

std::unique_ptr<MapSamples> begun(const Image& image) {
  auto samples = std::make_unique<MapSamples>(MapGrid(image.rows, image.cols),
                                              std::vector<tools::KeptLayer>{{"series", 2}, {"status", 0}}, "series");
  samples->begin(planes);
  return samples;
}

std::vector<TileRect> cut(const Image& image, std::int64_t tile_rows, std::int64_t tile_cols) {
  const TileGrid grid(image.rows, image.cols, tile_rows, tile_cols);
  std::vector<TileRect> tiles;
  for (std::int64_t t = 0; t < grid.count(); ++t) tiles.push_back(grid.rect(t));
  return tiles;
}

void check_same(const MapSamples& one, const MapSamples& other) {
  for (const std::size_t layer : {0U, 1U}) {
    const auto a = one.layer(layer);
    const auto b = other.layer(layer);
    REQUIRE(a.size() == b.size());
    CHECK(std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
  }
  for (std::size_t d = 0; d < depth; ++d) {
    CHECK(one.squares()[d].count() == other.squares()[d].count());
    CHECK(one.squares()[d].root_mean() == other.squares()[d].root_mean());
  }
}

}  // namespace

TEST_CASE("a map shows the middle pixel of every n-th row and column") {
  const Image image(1700, 2500);
  const auto samples = begun(image);
  image.show(*samples, {0, 0, image.rows, image.cols});
  const MapGrid& grid = samples->grid();
  CHECK(grid.row_step() == 4);
  CHECK(grid.rows() == 425);
  CHECK(grid.cols() == 625);
  for (const auto& [row, col] : {std::pair{0, 0}, {7, 9}, {424, 624}}) {
    const auto pixel = static_cast<std::size_t>((row * 4 + 2) * image.cols + col * 4 + 2);
    const auto cell = static_cast<std::size_t>(row * grid.cols() + col);
    CHECK(samples->layer(0)[cell] == image.series[pixel + static_cast<std::size_t>(2 * image.rows * image.cols)]);
    CHECK(samples->layer(1)[cell] == static_cast<float>(image.status[pixel]));
  }
}

TEST_CASE("every pixel of a small image is in its map, and every cell of a map is one pixel of the image") {
  for (const auto& [rows, cols] :
       {std::pair{1, 1}, {1, 23}, {801, 1}, {799, 800}, {5000, 3}, {10, 100000}, {1601, 900}}) {
    const MapGrid grid(rows, cols);
    CHECK(grid.rows() <= MapGrid::longest_side);
    CHECK(grid.cols() <= MapGrid::longest_side);
    const auto all = grid.rows_within(0, rows);
    CHECK(all.begin == 0);
    CHECK(all.end == grid.rows());
    std::int64_t last = -1;
    for (std::int64_t row = 0; row < grid.rows(); ++row) {
      CHECK(grid.image_row(row) > last);
      CHECK(grid.image_row(row) < rows);
      last = grid.image_row(row);
    }
    if (std::max(rows, cols) <= MapGrid::longest_side) CHECK(grid.cells() == rows * cols);
    CHECK(grid.rows() >= std::min(rows, 64));
    CHECK(grid.cols() >= std::min(cols, 64));
  }
}

TEST_CASE("any cut and any order give the same bits") {
  const Image image(1203, 811);
  const auto whole = begun(image);
  image.show(*whole, {0, 0, image.rows, image.cols});
  std::mt19937 random(1);
  for (const auto& [tile_rows, tile_cols] : {std::pair{1, 811}, {1203, 1}, {64, 64}, {37, 101}, {2, 2}}) {
    const auto samples = begun(image);
    auto tiles = cut(image, tile_rows, tile_cols);
    std::shuffle(tiles.begin(), tiles.end(), random);
    for (const auto& tile : tiles) image.show(*samples, tile);
    check_same(*samples, *whole);
  }
}

TEST_CASE("any number of threads gives the same bits") {
  const Image image(1203, 811);
  const auto whole = begun(image);
  image.show(*whole, {0, 0, image.rows, image.cols});
  const auto samples = begun(image);
  const auto tiles = cut(image, 100, 90);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < tiles.size(); i += 4) image.show(*samples, tiles[i]);
    });
  }
  for (auto& thread : threads) thread.join();
  check_same(*samples, *whole);
}

TEST_CASE("root mean squares are of the pixels that count and were solved") {
  const std::vector<float> values{1, 0, 3, 100, /* second layer */ 2, 0, 4, 100};
  MapSamples samples(MapGrid(1, 4), {}, "x");
  samples.set_counted({true, true, true, false});
  samples.begin({{"x", 2, DType::f32}});
  samples.note({0, {0, 0, 1, 4}, reinterpret_cast<const std::byte*>(values.data()), 16, 16});
  CHECK(samples.squares()[0].count() == 2);
  CHECK(samples.squares()[0].root_mean() == doctest::Approx(std::sqrt(5.0)).epsilon(1e-9));
  CHECK(samples.squares()[1].root_mean() == doctest::Approx(std::sqrt(10.0)).epsilon(1e-9));
}

TEST_CASE("a sum of squares is right for small and large numbers and has none without numbers") {
  tools::SquareSum sum;
  CHECK(std::isnan(sum.root_mean()));
  for (int i = 0; i < 100000; ++i) sum.add(i % 2 == 0 ? 0.0021F : -0.0021F);
  CHECK(sum.root_mean() == doctest::Approx(0.0021).epsilon(3e-5));
  tools::SquareSum large;
  for (int i = 0; i < 100000; ++i) large.add(std::numeric_limits<float>::infinity());
  CHECK(large.root_mean() == doctest::Approx(127));
}

TEST_CASE("a sink shown to samples passes everything on and adds their memory") {
  auto inner = std::make_unique<io::MemorySink>(2, 3, std::vector<io::SinkPlane>{{"x", 1, DType::f32}});
  const io::MemorySink& memory = *inner;
  const auto samples = std::make_shared<MapSamples>(MapGrid(2, 3), std::vector<tools::KeptLayer>{{"x", 0}}, "");
  tools::MapSink sink(std::move(inner), samples, 1000);
  CHECK(sink.held_bytes() == 1000 + 6 * 4);
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  sink.begin();
  CHECK(sink.write({0, {0, 0, 2, 3}, reinterpret_cast<const std::byte*>(values.data()), 24, 12}) == 24);
  sink.commit({{"name", "text"}});
  CHECK(memory.committed());
  CHECK(memory.floats("x") == values);
  CHECK(std::equal(values.begin(), values.end(), samples->layer(0).begin()));
}

TEST_CASE("a map of a plane that is not there is an error of the program") {
  MapSamples samples(MapGrid(2, 3), {{"y", 0}}, "");
  CHECK(test::contains(test::error_of([&] { samples.begin({{"x", 1, DType::f32}}); }), "no plane 'y'"));
}
