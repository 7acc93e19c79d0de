// Random shapes, chunks, filters, layers and tiles with a fixed seed; and many threads on one file.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <algorithm>
#include <random>
#include <thread>

#include "io/h5_source.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/thread_for.hpp"

using namespace outcrop;
using namespace outcrop::io;
using outcrop::test::ImageSpec;

namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  hsize_t size(std::int64_t high) { return static_cast<hsize_t>(number(1, high)); }
  bool maybe(int percent) { return number(1, 100) <= percent; }
  template <class T>
  T one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }

 private:
  std::mt19937 random_;
};

ImageSpec draw_spec(Draw& draw) {
  ImageSpec spec;
  spec.shape = {draw.size(20), draw.size(70), draw.size(70)};
  if (draw.maybe(20)) spec.shape.erase(spec.shape.begin());
  if (draw.maybe(85)) {
    for (const hsize_t n : spec.shape) spec.chunk.push_back(draw.size(static_cast<std::int64_t>(n)));
    spec.filters = draw.one_of<std::vector<int>>({{}, {}, {1}, {2, 1}, {32000}, {2, 32000}, {2, 1, 3}, {3}, {2}});
  }
  spec.type =
      draw.one_of<hid_t>({H5T_IEEE_F32LE, H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_STD_I16LE, H5T_STD_U8LE});
  if (draw.maybe(30)) spec.fill_value = 3;
  spec.missing = draw.maybe(40) ? 0.3 : 0;
  spec.noise = draw.one_of<double>({0, 0.3, 1});
  spec.latest = draw.maybe(15);
  spec.user_block = draw.maybe(10) ? 512 : 0;
  spec.seed = static_cast<unsigned>(draw.number(1, 1'000'000));
  return spec;
}

std::vector<std::int64_t> draw_layers(Draw& draw, const ImageSpec& spec) {
  std::vector<std::int64_t> layers;
  if (spec.shape.size() == 2) return layers;
  const auto last = static_cast<std::int64_t>(spec.shape[0]) - 1;
  if (draw.maybe(50)) {
    for (std::int64_t i = 0; i <= last; ++i) {
      if (draw.maybe(80)) layers.push_back(i);
    }
  }
  while (layers.empty() || draw.maybe(40)) layers.push_back(draw.number(0, last));
  return layers;
}

TileRect draw_rect(Draw& draw, std::int64_t rows, std::int64_t cols) {
  const std::int64_t row = draw.number(0, rows - 1);
  const std::int64_t col = draw.maybe(30) ? 0 : draw.number(0, cols - 1);
  return {row, col, draw.number(1, rows - row), draw.maybe(40) ? cols - col : draw.number(1, cols - col)};
}

}  // namespace

TEST_CASE("any layers of any tile of any dataset are what HDF5 reads") {
  Draw draw(20'240'601);
  const test::TempFolder folder;
  Log log(Verbosity::quiet);
  for (int round = 0; round < 300; ++round) {
    const ImageSpec spec = draw_spec(draw);
    const std::string path = folder.file("x.h5");
    const auto truth = test::make_image_file(path, "d", spec);
    const auto layers = draw_layers(draw, spec);
    const PlaneRequest request{"p", path, "d", layers};
    const auto source = make_h5_source({request}, {}, log);
    const auto [rows, cols] = std::pair(source->describe().rows, source->describe().cols);
    for (int t = 0; t < 4; ++t) {
      const TileRect rect = draw_rect(draw, rows, cols);
      const auto expected = test::cut(truth, rows, cols, layers.empty() ? std::vector<std::int64_t>{0} : layers, rect);
      REQUIRE_MESSAGE(test::differences(test::read_tile(*source, rect, test::ThreadFor(2))[0], expected) == 0, "round ",
                      round);
      if (t == 0) REQUIRE_MESSAGE(test::differences(read_rect(request, rect, {}, log), expected) == 0, "round ", round);
    }
  }
}

TEST_CASE("sixteen threads on the same files read the same values") {
  const test::TempFolder folder;
  std::vector<PlaneRequest> planes;
  std::vector<std::vector<float>> truth;
  const std::vector<std::vector<int>> pipelines = {{1}, {32000}, {2, 1}, {}};
  for (std::size_t i = 0; i < 5; ++i) {
    ImageSpec spec{.shape = {12, 160, 120}, .chunk = {5, 30, 32}, .missing = 0.1, .seed = static_cast<unsigned>(i)};
    spec.latest = i == 4;
    if (i == 4) spec.chunk = {1, 5, 8};  // so many that HDF5 itself must read them
    if (i < 4) spec.filters = pipelines[i];
    const std::string path = folder.file("x" + std::to_string(i) + ".h5");
    truth.push_back(test::make_image_file(path, "d", spec));
    planes.push_back({"p", path, "d", {0, 1, 2, 3, 5, 8, 11}});
  }
  Log log(Verbosity::quiet);
  const auto source = make_h5_source(planes, {}, log);
  const TileGrid grid(160, 120, 37, 53);
  std::atomic<std::int64_t> wrong = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    test::ThreadFor(16).run(2 * grid.count(), [&](std::int64_t t, int) {
      const TileRect rect = grid.rect(t % grid.count());
      const auto got = test::read_tile(*source, rect, test::ThreadFor(t % 4 == 0 ? 2 : 1));
      for (std::size_t p = 0; p < planes.size(); ++p) {
        wrong += test::differences(got[p], test::cut(truth[p], 160, 120, planes[p].layers, rect));
      }
    });
  }
  CHECK(wrong == 0);
}
