// Tests of `outcrop simulate`: networks, noise-free truth, holes, and equal bytes however the work is divided.
#include "tools/outcrop/simulate/simulate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/contents.hpp"
#include "tests/support/temp_folder.hpp"
#include "tools/outcrop/simulate/fields.hpp"
#include "tools/outcrop/simulate/network.hpp"
#include "tools/outcrop/simulate/samples.hpp"

using namespace outcrop;
using namespace outcrop::tools;

namespace {

SimulateOptions small_options() {
  SimulateOptions options;
  options.dir = "unused";
  options.rows = 37;
  options.cols = 53;
  options.network.dates = 9;
  options.noise = 1;
  options.nan_frac = 0.05;
  options.cut_frac = 0.2;
  options.isolate_frac = 0.2;
  options.bperp3d = true;
  options.zero_block = TileRect{0, 0, 4, 6};
  options.water = TileRect{30, 40, 7, 13};
  return options;
}

struct Tile {
  FieldTile fields;
  SampleTile samples;
};

Tile evaluate(const Scene& scene, const TileRect& rect) {
  Tile tile;
  evaluate_fields(scene, rect, tile.fields);
  evaluate_samples(scene, rect, tile.fields, tile.samples);
  return tile;
}

TileRect whole(const Scene& scene) { return {0, 0, scene.rows(), scene.cols()}; }

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Layers of a tile cut out of those of the whole raster are the tile evaluated alone.
void check_cut(const std::vector<float>& all, const std::vector<float>& part, const Scene& scene,
               const TileRect& rect) {
  const std::int64_t layers = static_cast<std::int64_t>(part.size()) / rect.pixels();
  std::int64_t different = 0;
  for (std::int64_t k = 0; k < layers; ++k) {
    for (std::int64_t p = 0; p < rect.pixels(); ++p) {
      const std::int64_t pixel = (rect.row + p / rect.cols) * scene.cols() + rect.col + p % rect.cols;
      const float expected = all[static_cast<std::size_t>(k * scene.rows() * scene.cols() + pixel)];
      if (!same(part[static_cast<std::size_t>(k * rect.pixels() + p)], expected)) ++different;
    }
  }
  CHECK(different == 0);
}

const std::atomic<int> no_signal{0};

}  // namespace

TEST_CASE("98 dates with five neighbours each are 475 pairs") {
  NetworkOptions options;
  options.dates = 98;
  options.pairs_per_date = 5;
  const Network network = make_network(options, 1);
  CHECK(network.num_pairs() == 475);
  CHECK(network.dates[0] == "20150101");
  CHECK(network.dates[1] == "20150113");
  CHECK(network.days.back() == 97 * 12);
  CHECK(std::is_sorted(network.pairs.begin(), network.pairs.end()));
}

TEST_CASE("long pairs come on top, are long, and none is there twice") {
  NetworkOptions options;
  options.long_pairs = 36;
  const Network network = make_network(options, 5);
  CHECK(network.num_pairs() == 3 * 40 - 6 + 36);
  CHECK(std::set<DatePair>(network.pairs.begin(), network.pairs.end()).size() == network.pairs.size());
  const auto is_long = [](const DatePair& p) { return p.second - p.first >= 10; };
  CHECK(std::count_if(network.pairs.begin(), network.pairs.end(), is_long) == 36);
}

TEST_CASE("no pair connects two clusters, not even a long one") {
  NetworkOptions options;
  options.clusters = 3;
  options.long_pairs = 10;
  for (const DatePair& pair : make_network(options, 2).pairs) CHECK(pair.first * 3 / 40 == pair.second * 3 / 40);
}

TEST_CASE("a pixel is the same whatever rectangle it is asked with") {
  const Scene scene = make_scene(small_options());
  const Tile all = evaluate(scene, whole(scene));
  for (const TileRect& rect :
       {TileRect{3, 2, 5, 7}, TileRect{17, 0, 2, 53}, TileRect{18, 26, 1, 1}, TileRect{30, 39, 7, 14}}) {
    const Tile part = evaluate(scene, rect);
    check_cut(all.fields.dem_error, part.fields.dem_error, scene, rect);
    check_cut(all.fields.bperp, part.fields.bperp, scene, rect);
    check_cut(all.samples.series, part.samples.series, scene, rect);
    check_cut(all.samples.phase, part.samples.phase, scene, rect);
    check_cut(all.samples.coherence, part.samples.coherence, scene, rect);
  }
}

TEST_CASE("phases without noise are the differences of the true series") {
  SimulateOptions options = small_options();
  options.noise = 0;
  options.nan_frac = 0;
  const Scene scene = make_scene(options);
  const Tile all = evaluate(scene, whole(scene));
  const std::int64_t pixels = whole(scene).pixels();
  const std::int64_t reference = scene.reference_row * scene.cols() + scene.reference_col;
  double largest = 0;
  for (std::int64_t m = 0; m < scene.network.num_pairs(); ++m) {
    const DatePair pair = scene.network.pairs[static_cast<std::size_t>(m)];
    const float* phase = all.samples.phase.data() + m * pixels;
    for (std::int64_t p = 0; p < pixels; ++p) {
      if (all.samples.kind[static_cast<std::size_t>(p)] != 0) continue;
      const double change =
          static_cast<double>(all.samples.series[static_cast<std::size_t>(pair.second * pixels + p)]) -
          static_cast<double>(all.samples.series[static_cast<std::size_t>(pair.first * pixels + p)]);
      const double expected = -4 * 3.14159265358979 / 0.05546576 * change;
      largest = std::max(largest, std::abs(static_cast<double>(phase[p] - phase[reference]) - expected));
    }
  }
  CHECK(largest < 2e-5);
}

TEST_CASE("the noise has the deviation that coherence and looks give it") {
  SimulateOptions options = small_options();
  options.nan_frac = 0;
  const Scene noisy = make_scene(options);
  options.noise = 0;
  const Scene quiet = make_scene(options);
  const Tile a = evaluate(noisy, whole(noisy));
  const Tile b = evaluate(quiet, whole(quiet));
  double squares = 0;
  double count = 0;
  for (std::size_t i = 0; i < a.samples.phase.size(); ++i) {
    const double coherence = static_cast<double>(a.samples.coherence[i]);
    const double noise = static_cast<double>(a.samples.phase[i]) - static_cast<double>(b.samples.phase[i]);
    if (!(coherence > 0.3) || noise == 0 || std::isnan(noise)) continue;
    squares += noise * noise * 28 * coherence * coherence / (1 - coherence * coherence);
    count += 1;
  }
  REQUIRE(count > 10000);
  CHECK(squares / count == doctest::Approx(1).epsilon(0.03));
}

TEST_CASE("each pixel is spoilt as its kind says") {
  SimulateOptions options = small_options();
  options.nan_frac = 0;
  const Scene scene = make_scene(options);
  const Tile all = evaluate(scene, whole(scene));
  const std::int64_t pixels = whole(scene).pixels();
  std::vector<std::int64_t> kinds(5);
  for (std::int64_t p = 0; p < pixels; ++p) {
    const auto kind = all.samples.kind[static_cast<std::size_t>(p)];
    ++kinds[kind];
    std::int64_t holes = 0;
    std::int64_t zeros = 0;
    for (std::int64_t m = 0; m < scene.network.num_pairs(); ++m) {
      const float phase = all.samples.phase[static_cast<std::size_t>(m * pixels + p)];
      if (std::isnan(phase)) ++holes;
      if (phase == 0) ++zeros;
    }
    CHECK((holes > 0) == (kind == 1 || kind == 2));
    CHECK(zeros == (kind == 3 ? scene.network.num_pairs() : 0));
    CHECK((all.samples.land[static_cast<std::size_t>(p)] == 0) == (kind == 4));
  }
  CHECK(kinds[3] == 24);
  CHECK(kinds[4] == 91);
  CHECK(kinds[1] > pixels / 8);
  CHECK(kinds[2] > pixels / 8);
}

TEST_CASE("about the asked share of samples is NaN, none at the reference") {
  SimulateOptions options = small_options();
  options.cut_frac = 0;
  options.isolate_frac = 0;
  const Scene scene = make_scene(options);
  const Tile all = evaluate(scene, whole(scene));
  const auto holes =
      std::count_if(all.samples.phase.begin(), all.samples.phase.end(), [](float x) { return std::isnan(x); });
  CHECK(static_cast<double>(holes) / static_cast<double>(all.samples.phase.size()) ==
        doctest::Approx(0.05).epsilon(0.1));
  const Tile reference = evaluate(scene, {scene.reference_row, scene.reference_col, 1, 1});
  for (const float phase : reference.samples.phase) CHECK(std::abs(phase) >= 3);
}

TEST_CASE("the reference pixel avoids water and zeros") {
  SimulateOptions options = small_options();
  options.water = TileRect{10, 0, 20, 53};
  const Scene scene = make_scene(options);
  CHECK(scene.reference_row == 30);
  options.zero_block = TileRect{0, 0, 37, 53};
  CHECK_THROWS_AS(make_scene(options), Error);
}

TEST_CASE("equal options give equal files, whatever the number of threads") {
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  SimulateOptions options = small_options();
  options.rows = 300;
  for (const int threads : {1, 3}) {
    options.dir = folder.file(std::to_string(threads));
    options.threads = threads;
    simulate(options, log, no_signal);
  }
  for (const char* name : {"inputs/ifgramStack.h5", "inputs/geometryRadar.h5", "truth.h5", "waterMask.h5"}) {
    const std::string bytes = test::read_bytes(folder.file(std::string("1/") + name));
    CHECK(bytes.size() > 10000);
    CHECK(bytes == test::read_bytes(folder.file(std::string("3/") + name)));
  }
}

TEST_CASE("a scene in filtered chunks has the values of the contiguous one, and equal bytes for any threads") {
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  const auto write = [&](const std::string& name, const std::string& chunks, const std::string& compression,
                         int threads) {
    SimulateOptions options = small_options();
    options.dir = folder.file(name);
    options.threads = threads;
    options.chunks = chunks;
    options.compression = compression;
    options.fletcher32 = compression == "gzip";
    simulate(options, log, no_signal);
  };
  write("plain", "", "", 2);
  write("chunks", "5,8,16", "", 2);
  write("lzf", "", "lzf", 1);
  write("gzip", "100,7,60", "gzip", 3);
  write("shuffled", "3,10,9", "gzip+shuffle", 3);
  write("again", "3,10,9", "gzip+shuffle", 1);
  const std::vector<std::pair<std::string, std::string>> datasets = {{"inputs/ifgramStack.h5", "unwrapPhase"},
                                                                     {"inputs/ifgramStack.h5", "connectComponent"},
                                                                     {"inputs/geometryRadar.h5", "bperp"},
                                                                     {"inputs/geometryRadar.h5", "height"},
                                                                     {"truth.h5", "timeseries"}};
  const auto values_of = [&](const std::string& scene, const std::pair<std::string, std::string>& dataset) {
    const auto blocks = io::open_blocks(folder.file(scene + "/" + dataset.first), dataset.second, log);
    return blocks->read({0, 0, blocks->rows(), blocks->cols()});
  };
  for (const auto& dataset : datasets) {
    const auto expected = values_of("plain", dataset);
    for (const char* scene : {"chunks", "lzf", "gzip", "shuffled"}) {
      CAPTURE(scene);
      const auto values = values_of(scene, dataset);
      REQUIRE(values.size() == expected.size());
      CHECK(std::memcmp(values.data(), expected.data(), values.size() * sizeof(double)) == 0);
    }
  }
  CHECK(test::read_bytes(folder.file("shuffled/inputs/ifgramStack.h5")) ==
        test::read_bytes(folder.file("again/inputs/ifgramStack.h5")));
  const auto contents = io::read_contents(folder.file("shuffled/inputs/ifgramStack.h5"));
  CHECK(contents.find("unwrapPhase")->storage == "chunks 3 x 10 x 9, gzip + shuffle, float32");
}

TEST_CASE("chunks that are left to choose are those that h5py would choose") {
  // Made with h5py 3.7: create_dataset(..., chunks=True), float32.
  CHECK(guess_chunk({33, 101, 67}, 4) == std::vector<std::int64_t>{9, 26, 17});
  CHECK(guess_chunk({475, 2000, 1500}, 4) == std::vector<std::int64_t>{15, 63, 47});
  CHECK(guess_chunk({288, 1500, 1300}, 4) == std::vector<std::int64_t>{9, 47, 82});
  CHECK(guess_chunk({20, 40, 40}, 4) == std::vector<std::int64_t>{5, 20, 20});
  CHECK(guess_chunk({40, 40}, 4) == std::vector<std::int64_t>{40, 40});
  CHECK(guess_chunk({1, 1, 1}, 4) == std::vector<std::int64_t>{1, 1, 1});
}

TEST_CASE("what is impossible is refused before anything is written") {
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  const auto refused = [&](auto change) {
    SimulateOptions options = small_options();
    options.dir = folder.file("scene");
    change(options);
    try {
      simulate(options, log, no_signal);
    } catch (const Error& error) {
      return error.code() == Errc::usage && !std::filesystem::exists(options.dir);
    }
    return false;
  };
  for (const char* chunks : {"16,63", "16,63,54,1", "0,1,1", "1,-1,1", "a,b,c", "1,1,1x", ","}) {
    CAPTURE(chunks);
    CHECK(refused([&](SimulateOptions& o) { o.chunks = chunks; }));
  }
  CHECK(refused([](SimulateOptions& o) { o.compression = "zstd"; }));
  CHECK(refused([](SimulateOptions& o) { o.chunks = "none", o.compression = "gzip"; }));
  CHECK(refused([](SimulateOptions& o) { o.rows = 0; }));
  CHECK(refused([](SimulateOptions& o) { o.nan_frac = 1.5; }));
  CHECK(refused([](SimulateOptions& o) { o.network.dates = 1; }));
  CHECK(refused([](SimulateOptions& o) { o.network.clusters = 5; }));
  CHECK(refused([](SimulateOptions& o) { o.water = TileRect{0, 0, 38, 1}; }));
}

TEST_CASE("a signal stops the work and leaves no file") {
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  SimulateOptions options = small_options();
  options.dir = folder.path().string();
  const std::atomic<int> signal{15};
  CHECK_THROWS_AS(simulate(options, log, signal), Error);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "truth.h5"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "inputs/ifgramStack.h5"));
}
