// The flat sink: tiles land where they belong, nothing is seen before the commit, equal contents are equal bytes.
#include "io/flat_sink.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/tile.hpp"
#include "io/h5/dataset.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

namespace fs = std::filesystem;
using namespace outcrop::io;
using outcrop::DType;
using outcrop::TileGrid;
using outcrop::TileRect;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::read_bytes;
using outcrop::test::TempFolder;

namespace {

constexpr std::int64_t num_rows = 13;
constexpr std::int64_t num_cols = 11;
constexpr std::int64_t depth = 3;
const std::vector<std::string> dates = {"20200101", "20200102", "20200103"};

outcrop::Log& quiet() {
  static outcrop::Log log(outcrop::Verbosity::quiet);
  return log;
}

/// Quality and status in one file, the series in another, as the inversion has them.
std::vector<OutputFile> outputs(const TempFolder& folder) {
  OutputFile quality;
  quality.path = folder.file("quality.h5");
  quality.tiled = {{"temporalCoherence", "quality", 1, true, DType::f32, {}},
                   {"status", "status", 1, true, DType::u8, {}}};
  OutputFile series;
  series.path = folder.file("series.h5");
  series.attributes.set("FILE_TYPE", "timeseries");
  series.small.push_back({"date", dates, {}, {}});
  series.small.push_back({"bperp", std::vector<float>{0, 1.5F, -2}, {}, {}});
  series.small.push_back({"flag", std::vector<bool>{true, false}, {2, 1}, {}});
  series.tiled = {{"timeseries", "series", depth, false, DType::f32, {}}};
  return {quality, series};
}

float value_at(std::int64_t layer, std::int64_t row, std::int64_t col) {
  return static_cast<float>(10000 * layer + 100 * row + col);
}

/// Writes one tile of all three planes, with gaps between rows and layers in memory.
void write_tile(TileSink& sink, const TileRect& rect) {
  constexpr std::int64_t gap = 2;
  const auto stride = rect.cols + gap;
  const auto layer_stride = stride * rect.rows + gap;
  std::vector<float> values(static_cast<std::size_t>(depth * layer_stride), -1);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(layer_stride), 255);
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t r = 0; r < rect.rows; ++r) {
      for (std::int64_t c = 0; c < rect.cols; ++c) {
        values[static_cast<std::size_t>(k * layer_stride + r * stride + c)] = value_at(k, rect.row + r, rect.col + c);
        bytes[static_cast<std::size_t>(r * stride + c)] = static_cast<std::uint8_t>(rect.row + r + rect.col + c);
      }
    }
  }
  const auto* floats = reinterpret_cast<const std::byte*>(values.data());
  CHECK(sink.write({0, rect, floats, layer_stride * 4, stride * 4}) == rect.pixels() * 4);
  CHECK(sink.write({1, rect, reinterpret_cast<const std::byte*>(bytes.data()), layer_stride, stride}) == rect.pixels());
  CHECK(sink.write({2, rect, floats, layer_stride * 4, stride * 4}) == depth * rect.pixels() * 4);
}

void write_all(TileSink& sink, std::int64_t tile_rows, std::int64_t tile_cols) {
  const TileGrid grid(num_rows, num_cols, tile_rows, tile_cols);
  for (std::int64_t tile = grid.count() - 1; tile >= 0; --tile) write_tile(sink, grid.rect(tile));
}

std::vector<double> numbers(const std::string& path, const std::string& dataset) {
  return h5::Dataset::open(h5::File::open(path), dataset).read_numbers();
}

bool holds_everything(const TempFolder& folder) {
  const auto series = numbers(folder.file("series.h5"), "timeseries");
  const auto quality = numbers(folder.file("quality.h5"), "temporalCoherence");
  const auto status = numbers(folder.file("quality.h5"), "status");
  if (series.size() != depth * num_rows * num_cols || quality.size() != num_rows * num_cols) return false;
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t r = 0; r < num_rows; ++r) {
      for (std::int64_t c = 0; c < num_cols; ++c) {
        const auto pixel = static_cast<std::size_t>(r * num_cols + c);
        const auto expected = static_cast<double>(value_at(k, r, c));
        if (series[pixel + static_cast<std::size_t>(k * num_rows * num_cols)] != expected) return false;
        if (k == 0 && (quality[pixel] != expected || status[pixel] != static_cast<double>(r + c))) return false;
      }
    }
  }
  return true;
}

}  // namespace

TEST_CASE("of large outputs no more than the last writes are left for the commit") {
  const TempFolder folder;
  const auto small = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  CHECK(small->late_bytes() == num_rows * num_cols * (4 + 1 + depth * 4));
  CHECK(small->space_bytes() == small->late_bytes() + 2 * (1 << 20));
  const auto large = make_flat_sink(10'000, 10'000, outputs(folder), quiet());
  CHECK(large->late_bytes() == 2 * (32 << 20));
}

TEST_CASE("tiles of any shape and order land where they belong") {
  for (const auto& [rows, cols] : {std::pair<int, int>{4, 3}, {5, 11}, {13, 11}, {1, 1}}) {
    const TempFolder folder;
    const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
    sink->begin();
    write_all(*sink, rows, cols);
    sink->commit({});
    CHECK(holds_everything(folder));
    CHECK_FALSE(fs::exists(folder.path() / ".outcrop"));
  }
}

TEST_CASE("full-width tiles without gaps are written as they lie in memory") {
  const TempFolder folder;
  auto files = outputs(folder);
  files.erase(files.begin());
  const auto sink = make_flat_sink(num_rows, num_cols, files, quiet());
  sink->begin();
  std::vector<float> values(depth * num_rows * num_cols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  sink->write({0,
               {0, 0, num_rows, num_cols},
               reinterpret_cast<const std::byte*>(values.data()),
               num_rows * num_cols * 4,
               num_cols * 4});
  sink->commit({});
  CHECK(numbers(folder.file("series.h5"), "timeseries") == std::vector<double>(values.begin(), values.end()));
}

TEST_CASE("threads may write different tiles at the same time") {
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  const TileGrid grid(num_rows, num_cols, 3, 4);
  std::vector<std::thread> threads;
  for (std::int64_t worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&, worker] {
      for (auto tile = worker; tile < grid.count(); tile += 4) write_tile(*sink, grid.rect(tile));
    });
  }
  for (auto& thread : threads) thread.join();
  sink->commit({});
  CHECK(holds_everything(folder));
}

TEST_CASE("small datasets and attributes are stored as h5py stores them") {
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  write_all(*sink, 13, 11);
  sink->commit({{"outcrop.deviations", "none"}, {"FILE_TYPE", "replaced"}});
  const auto file = h5::File::open(folder.file("series.h5"));
  const auto date = h5::Dataset::open(file, "date");
  CHECK(date.read_strings() == dates);
  CHECK(date.info().type.size_bytes == 8);
  CHECK(h5::describe(h5::Dataset::open(file, "bperp").info()) == "contiguous, float32");
  const auto flag = h5::Dataset::open(file, "flag");
  CHECK(flag.info().type.kind == h5::TypeClass::boolean);
  CHECK(flag.info().shape == std::vector<std::int64_t>{2, 1});
  CHECK(flag.read_numbers() == std::vector<double>{1, 0});
  const auto series = h5::Dataset::open(file, "timeseries").info();
  CHECK(series.shape == std::vector<std::int64_t>{depth, num_rows, num_cols});
  CHECK(series.address > 0);
  CHECK(h5::read_attributes(file).get("FILE_TYPE") == "replaced");
  CHECK(h5::read_attributes(file).get("outcrop.deviations") == "none");
  CHECK(h5::read_attributes(h5::File::open(folder.file("quality.h5"))).get("outcrop.deviations") == "none");
}

TEST_CASE("an attribute for a group of files goes to these files alone") {
  const TempFolder folder;
  auto files = outputs(folder);
  files.back().group = 1;
  const auto sink = make_flat_sink(num_rows, num_cols, files, quiet());
  sink->begin();
  sink->commit({{"of", "all"}, {"group", "first", 0}, {"group", "second", 1}});
  for (const auto& file : files) {
    const auto attributes = h5::read_attributes(h5::File::open(file.path));
    CHECK(attributes.get("of") == "all");
    CHECK(attributes.get("group") == (file.group == 0 ? "first" : "second"));
  }
}

TEST_CASE("equal contents are equal bytes, however they were cut into tiles") {
  std::vector<std::string> contents;
  for (const int rows : {2, 13}) {
    const TempFolder folder;
    const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
    sink->begin();
    write_all(*sink, rows, 7);
    sink->commit({{"outcrop.run_id", "1"}});
    contents.push_back(read_bytes(folder.file("series.h5")) + read_bytes(folder.file("quality.h5")));
  }
  CHECK(contents[0] == contents[1]);
}

TEST_CASE("an older output stays whole until the commit, and its readers keep it after") {
  const TempFolder folder;
  outcrop::test::write_bytes(folder.file("series.h5"), "older");
  std::ifstream reader(folder.file("series.h5"));
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  CHECK(fs::exists(folder.path() / ".outcrop" / "series.h5.part"));
  CHECK_FALSE(fs::exists(folder.file("quality.h5")));
  write_all(*sink, 13, 11);
  CHECK(read_bytes(folder.file("series.h5")) == "older");
  sink->commit({});
  CHECK(holds_everything(folder));
  std::string seen;
  reader >> seen;
  CHECK(seen == "older");
}

TEST_CASE("an abandoned output leaves nothing behind, nor does one that is forgotten or left by an earlier run") {
  const TempFolder folder;
  fs::create_directory(folder.path() / ".outcrop");
  outcrop::test::write_bytes(folder.file(".outcrop/series.h5.part"), "stale");
  {
    const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
    sink->begin();
    write_tile(*sink, {0, 0, 2, 2});
    sink->abandon();
    CHECK(fs::is_empty(folder.path()));
  }
  make_flat_sink(num_rows, num_cols, outputs(folder), quiet())->begin();
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("what others keep in the folder of unfinished files stays there") {
  const TempFolder folder;
  fs::create_directory(folder.path() / ".outcrop");
  outcrop::test::write_bytes(folder.file(".outcrop/other.part"), "other");
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  sink->commit({});
  CHECK(read_bytes(folder.file(".outcrop/other.part")) == "other");
}

TEST_CASE("outputs that cannot fit are refused with the bytes, before anything is left behind") {
  const TempFolder folder;
  const auto sink = make_flat_sink(std::int64_t{1} << 24, std::int64_t{1} << 24, outputs(folder), quiet());
  const auto text = error_of([&] { sink->begin(); });
  CAPTURE(text);
  CHECK(contains(text, "bytes, "));
  CHECK(contains(text, "are free"));
  sink->abandon();
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("what is carried over counts as an output that has to fit") {
  const TempFolder folder;
  const hsize_t too_many = hsize_t{1} << 43;
  {
    // Space is given to it in the header; the file system keeps a hole.
    outcrop::test::H5Build file(folder.file("input.h5"));
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    file.dataset("other", {too_many}, H5T_STD_U8LE, H5T_NATIVE_UCHAR, nullptr, creation);
    H5Pclose(creation);
  }
  auto files = outputs(folder);
  files.front().carried.push_back({folder.file("input.h5"), "other", false});
  make_flat_sink(num_rows, num_cols, files, quiet())->begin();
  files.front().carried.front().with_values = true;
  const auto sink = make_flat_sink(num_rows, num_cols, files, quiet());
  const auto text = error_of([&] { sink->begin(); });
  CAPTURE(text);
  CHECK(contains(text, "are free"));
}

TEST_CASE("a write that the system refuses names the file and the bytes") {
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  const std::vector<float> values(depth * num_rows * num_cols, 1);
  const auto text = error_of([&] {
    const outcrop::test::FileSizeLimit limit(1024);
    sink->write({2,
                 {0, 0, num_rows, num_cols},
                 reinterpret_cast<const std::byte*>(values.data()),
                 num_rows * num_cols * 4,
                 num_cols * 4});
  });
  CAPTURE(text);
  CHECK(contains(text, "bytes of timeseries to " + folder.file(".outcrop/series.h5.part")));
}

TEST_CASE("a commit that the system refuses gives the system's reason, not the library's numbers") {
  const TempFolder folder;
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  const auto text = error_of([&] {
    const outcrop::test::FileSizeLimit limit(1);
    sink->commit({{"REF_DATE", "20200101"}});
  });
  CAPTURE(text);
  CHECK(contains(text, folder.file(".outcrop/quality.h5.part")));
  CHECK(contains(text, "(File too large)"));
  CHECK_FALSE(contains(text, "errno"));
}

TEST_CASE("outputs in folders that are not there or under the name of a folder are refused by name") {
  const TempFolder folder;
  auto files = outputs(folder);
  files[0].path = folder.file("absent/quality.h5");
  CHECK(contains(error_of([&] { make_flat_sink(4, 4, files, quiet())->begin(); }), "absent"));
  files[0].path = folder.file("taken");
  fs::create_directory(files[0].path);
  CHECK(contains(error_of([&] { make_flat_sink(4, 4, files, quiet())->begin(); }), "taken: Is a directory"));
  files[0].path = files[1].path;
  CHECK(contains(error_of([&] { make_flat_sink(4, 4, files, quiet()); }), "two outputs are named"));
}

TEST_CASE("new files honour the user's mask of permissions") {
  const TempFolder folder;
  const auto before = ::umask(027);
  const auto sink = make_flat_sink(num_rows, num_cols, outputs(folder), quiet());
  sink->begin();
  sink->commit({});
  ::umask(before);
  struct stat info = {};
  REQUIRE(::stat(folder.file("series.h5").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
}
