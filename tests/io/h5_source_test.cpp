// Every way of storing an image, read tile by tile, against what HDF5 itself reads.
#include "io/h5_source.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <limits>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/thread_for.hpp"

using namespace outcrop;
using namespace outcrop::io;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::ImageSpec;

namespace {

/// Of a plane in the raw area, before what is read there.
constexpr std::int64_t mark_bytes = 64;

constexpr double nan_fill = std::numeric_limits<double>::quiet_NaN();

std::vector<std::int64_t> all_layers(const ImageSpec& spec) {
  std::vector<std::int64_t> layers;
  for (hsize_t i = 0; spec.shape.size() == 3 && i < spec.shape[0]; ++i) layers.push_back(static_cast<std::int64_t>(i));
  return layers;
}

std::unique_ptr<TileSource> open(const std::string& path, std::vector<std::int64_t> layers,
                                 const SourceOptions& options = {}) {
  Log log(Verbosity::quiet);
  return make_h5_source({{"plane", path, "d", std::move(layers)}}, options, log);
}

/// All is read by fetch(), as from storage that the system keeps nothing of.
constexpr SourceOptions from_afar{.read_near = false};

/// Values that are wrong over all tiles of the image, whether fetch() or decode() reads; tiles do not fit the chunks.
std::int64_t count_wrong(const ImageSpec& spec, const std::vector<std::int64_t>& layers, std::int64_t tile_rows,
                         std::int64_t tile_cols) {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const auto truth = test::make_image_file(path, "d", spec);
  std::int64_t wrong = 0;
  for (const SourceOptions& options : {SourceOptions{}, from_afar}) {
    const auto source = open(path, layers, options);
    const auto& info = source->describe();
    const auto taken = layers.empty() ? std::vector<std::int64_t>{0} : layers;
    const TileGrid grid(info.rows, info.cols, tile_rows, tile_cols);
    for (std::int64_t t = 0; t < grid.count(); ++t) {
      const auto got = test::read_tile(*source, grid.rect(t), test::ThreadFor(2));
      wrong += test::differences(got[0], test::cut(truth, info.rows, info.cols, taken, grid.rect(t)));
    }
  }
  return wrong;
}

std::int64_t count_wrong(const ImageSpec& spec) { return count_wrong(spec, all_layers(spec), 23, 41); }

/// What fetch() says it has read.
std::int64_t fetched_bytes(const TileSource& source, const TileRect& rect) {
  const std::int64_t depth = source.describe().planes[0].depth;
  std::vector<std::byte> raw(static_cast<std::size_t>(source.raw_bytes(rect)));
  std::vector<float> values(static_cast<std::size_t>(depth * rect.pixels()));
  const View<float, 2> view(values.data(), depth, rect.pixels());
  return source.fetch(rect, raw, std::span(&view, 1));
}

}  // namespace

TEST_CASE("chunks with every pipeline of filters are read") {
  const std::vector<std::vector<int>> pipelines = {{},  {1},       {2, 1},    {32000},   {2, 32000},
                                                   {3}, {2, 1, 3}, {3, 2, 1}, {32000, 1}};
  for (const auto& filters : pipelines) {
    for (const double noise : {0.1, 1.0}) {
      CHECK(count_wrong({.shape = {7, 101, 67}, .chunk = {3, 32, 32}, .filters = filters, .noise = noise}) == 0);
    }
  }
}

TEST_CASE("every number type is read") {
  for (const hid_t type : {H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I8LE, H5T_STD_U8LE, H5T_STD_I16LE,
                           H5T_STD_I16BE, H5T_STD_U16BE, H5T_STD_I32LE, H5T_STD_U32BE, H5T_STD_I64LE, H5T_STD_U64BE}) {
    CHECK(count_wrong({.shape = {3, 101, 67}, .chunk = {2, 32, 32}, .type = type, .filters = {2, 1}}) == 0);
    CHECK(count_wrong({.shape = {3, 50, 67}, .chunk = {1, 16, 67}, .type = type}) == 0);
    CHECK(count_wrong({.shape = {3, 30, 47}, .type = type}) == 0);
  }
}

TEST_CASE("chunks that were never written have the fill value") {
  for (const std::vector<int>& filters : {std::vector<int>{}, {2, 1}, {32000}}) {
    CHECK(count_wrong({.shape = {7, 101, 67},
                       .chunk = {3, 32, 32},
                       .filters = filters,
                       .fill_value = nan_fill,
                       .missing = 0.4}) == 0);
    CHECK(count_wrong({.shape = {7, 101, 67}, .chunk = {3, 32, 32}, .filters = filters, .missing = 1.1}) == 0);
  }
  CHECK(count_wrong({.shape = {4, 20, 30}, .fill_value = 7, .missing = 1.1}) == 0);
  CHECK(count_wrong(
            {.shape = {4, 20, 30}, .chunk = {2, 8, 8}, .type = H5T_STD_I16BE, .fill_value = -3, .missing = 0.5}) == 0);
}

TEST_CASE("contiguous, compact and two-dimensional datasets are read") {
  CHECK(count_wrong({.shape = {9, 101, 67}}) == 0);
  CHECK(count_wrong({.shape = {101, 67}}) == 0);
  CHECK(count_wrong({.shape = {101, 67}, .chunk = {101, 10}}) == 0);
  CHECK(count_wrong({.shape = {101, 67}, .chunk = {32, 32}, .filters = {32000}}) == 0);
  CHECK(count_wrong({.shape = {2, 30, 60}, .compact = true}) == 0);
  CHECK(count_wrong({.shape = {30, 60}, .type = H5T_IEEE_F64BE, .compact = true}) == 0);
}

TEST_CASE("files with a user block and files of the newest format are read") {
  for (const bool latest : {false, true}) {
    for (const hsize_t user_block : {0U, 1024U}) {
      for (const std::vector<int>& filters : {std::vector<int>{}, {2, 1}}) {
        CHECK(count_wrong({.shape = {7, 101, 67},
                           .chunk = {3, 32, 32},
                           .filters = filters,
                           .missing = 0.2,
                           .latest = latest,
                           .user_block = user_block}) == 0);
      }
      CHECK(count_wrong({.shape = {7, 50, 67}, .latest = latest, .user_block = user_block}) == 0);
    }
  }
}

TEST_CASE("more chunks than HDF5 can be asked for one by one are read in files of the newest format") {
  for (const std::vector<int>& filters : {std::vector<int>{}, {32000}}) {
    CHECK(count_wrong({.shape = {50, 40, 60},
                       .chunk = {1, 4, 6},
                       .filters = filters,
                       .missing = 0.1,
                       .noise = 0.9,
                       .latest = true}) == 0);
  }
}

TEST_CASE("any layers in any order are read, the same one twice too") {
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{}, {4, 32, 32}, {1, 101, 67}}) {
    for (const std::vector<int>& filters : {std::vector<int>{}, {2, 1}}) {
      if (chunk.empty() && !filters.empty()) continue;
      const ImageSpec spec{.shape = {13, 101, 67}, .chunk = chunk, .filters = filters, .missing = 0.1};
      CHECK(count_wrong(spec, {12, 0, 5, 5, 4, 9}, 23, 41) == 0);
      CHECK(count_wrong(spec, {3}, 101, 67) == 0);
      CHECK(count_wrong(spec, {7, 8}, 1, 1000) == 0);
    }
  }
}

TEST_CASE("full rows that are stored as they are wanted are read straight into the planes") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const std::vector<test::ImageSpec> specs = {
      {.shape = {5, 100, 200}, .user_block = 512},
      {.shape = {5, 100, 200}, .chunk = {2, 50, 200}, .fill_value = 3, .missing = 0.4},
      {.shape = {5, 100, 200}, .chunk = {1, 70, 200}, .latest = true}};
  for (const auto& spec : specs) {
    CAPTURE(spec.chunk.size());
    const auto truth = test::make_image_file(path, "d", spec);
    const std::vector<std::int64_t> layers = {4, 0, 3, 0};
    const auto source = open(path, layers, from_afar);
    for (const TileRect& rect : {TileRect{0, 0, 100, 200}, TileRect{30, 0, 65, 200}, TileRect{58, 0, 42, 200}}) {
      CHECK(source->raw_bytes(rect) == mark_bytes);
      CHECK(test::differences(test::read_tile(*source, rect)[0], test::cut(truth, 100, 200, layers, rect)) == 0);
      if (spec.missing == 0) CHECK(fetched_bytes(*source, rect) == 4 * rect.pixels() * 4);
    }
    CHECK(source->raw_bytes({0, 0, 100, 199}) > mark_bytes);
    CHECK(source->raw_bytes({0, 0, 10, 200}) > mark_bytes);
  }
}

TEST_CASE("rows longer than what is read at once are read in parts") {
  const ImageSpec spec{.shape = {2, 3, 150'000}, .type = H5T_IEEE_F64BE};
  CHECK(count_wrong(spec, {1, 0}, 2, 150'000) == 0);
  CHECK(count_wrong(spec, {0}, 3, 70'001) == 0);
}

TEST_CASE("only the bytes that are needed are read") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  test::make_image_file(path, "d", {.shape = {10, 64, 64}, .chunk = {5, 16, 16}});
  const auto source = open(path, {0, 1, 2, 3, 4}, from_afar);
  CHECK(source->describe().planes[0].needed_bytes == 5 * 64 * 64 * 4);
  CHECK(fetched_bytes(*source, {0, 0, 64, 64}) == 5 * 64 * 64 * 4);
  CHECK(fetched_bytes(*source, {16, 32, 16, 16}) == 5 * 16 * 16 * 4);
  CHECK(fetched_bytes(*source, {20, 32, 4, 16}) <= 5 * 16 * 16 * 4);
  const auto third = open(path, {2}, from_afar);
  CHECK(fetched_bytes(*third, {16, 0, 16, 16}) == 16 * 16 * 4);

  const std::string flat = folder.file("flat.h5");
  test::make_image_file(flat, "d", {.shape = {10, 64, 2000}});
  const auto narrow = open(flat, {1, 7});
  CHECK(narrow->describe().planes[0].chunk_rows == 0);
  CHECK(narrow->describe().planes[0].needed_bytes == 2 * 64 * 2000 * 4);
  CHECK(narrow->raw_bytes({3, 100, 4, 10}) == mark_bytes + 2 * 4 * 10 * 4);
  CHECK(narrow->raw_bytes({3, 0, 1, 2000}) == mark_bytes + 2 * 2000 * 4);

  const std::string packed = folder.file("packed.h5");
  test::make_image_file(packed, "d", {.shape = {10, 64, 64}, .chunk = {5, 16, 16}, .filters = {2, 1}});
  const auto half = open(packed, {9}, from_afar);
  CHECK(fetched_bytes(*half, {0, 0, 64, 64}) == half->describe().planes[0].needed_bytes);
}

TEST_CASE("a plane tells how much of it has to be decompressed, and what is read straight to its place") {
  const test::TempFolder folder;
  const auto plane = [&](const char* name, const ImageSpec& spec) {
    test::make_image_file(folder.file(name), "d", spec);
    return open(folder.file(name), {1, 2, 5})->describe().planes[0];
  };
  const PlaneInfo smooth =
      plane("smooth.h5", {.shape = {6, 64, 64}, .chunk = {3, 16, 32}, .filters = {32000}, .noise = 0});
  CHECK(smooth.chunks == 2 * 4 * 2);
  CHECK(smooth.packed_chunks == smooth.chunks);
  CHECK_FALSE(smooth.direct);
  const PlaneInfo noise =
      plane("noise.h5", {.shape = {6, 64, 64}, .chunk = {3, 16, 32}, .filters = {32000}, .noise = 1});
  CHECK(noise.chunks == 2 * 4 * 2);
  CHECK(noise.packed_chunks == 0);  // no shorter, so stored as they are
  const PlaneInfo shuffled = plane("shuffled.h5", {.shape = {6, 64, 64}, .chunk = {3, 16, 32}, .filters = {2}});
  CHECK(shuffled.packed_chunks == 0);
  const PlaneInfo rows = plane("rows.h5", {.shape = {6, 64, 64}});
  CHECK(rows.chunks == 0);
  CHECK(rows.direct);
  CHECK_FALSE(plane("narrow.h5", {.shape = {6, 64, 64}, .chunk = {1, 64, 32}}).direct);
  CHECK_FALSE(plane("foreign.h5", {.shape = {6, 64, 64}, .type = H5T_IEEE_F64BE}).direct);
}

TEST_CASE("chunks as large as the image are decoded from the file by each tile") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const ImageSpec spec{.shape = {3, 700, 600}, .chunk = {1, 700, 600}, .filters = {2, 1, 3}};
  const auto truth = test::make_image_file(path, "d", spec);
  const auto source = open(path, {2, 0});
  const PlaneInfo& plane = source->describe().planes[0];
  CHECK(plane.redecoded);
  CHECK(plane.chunk_rows == 0);
  CHECK(source->raw_bytes({10, 0, 100, 600}) == mark_bytes);
  CHECK(source->scratch_bytes() >= 2 * 700 * 600 * 4);
  const auto got = test::read_tile(*source, {10, 3, 100, 597}, test::ThreadFor(2));
  CHECK(test::differences(got[0], test::cut(truth, 700, 600, {2, 0}, {10, 3, 100, 597})) == 0);
}

TEST_CASE("several planes of several files make one tile") {
  const test::TempFolder folder;
  const ImageSpec phase{.shape = {5, 60, 70}, .chunk = {5, 16, 16}};
  const ImageSpec height{.shape = {60, 70}, .chunk = {60, 70}, .type = H5T_STD_I16LE, .filters = {32000}};
  const auto phase_truth = test::make_image_file(folder.file("a.h5"), "phase", phase);
  const auto height_truth = test::make_image_file(folder.file("b.h5"), "height", height);
  Log log(Verbosity::quiet);
  const auto source = make_h5_source({{"phase", folder.file("a.h5"), "phase", {0, 2, 4}},
                                      {"height", folder.file("b.h5"), "height", {}},
                                      {"again", folder.file("a.h5"), "phase", {1}}},
                                     {}, log);
  REQUIRE(source->describe().planes.size() == 3);
  CHECK(source->describe().planes[0].storage == "chunks 5 x 16 x 16, float32");
  CHECK(source->describe().planes[0].packing == Packing::none);
  CHECK(source->describe().planes[1].packing == Packing::lzf);
  CHECK(source->describe().planes[1].integers);
  const TileRect rect{7, 9, 30, 50};
  const auto got = test::read_tile(*source, rect, test::ThreadFor(3));
  CHECK(test::differences(got[0], test::cut(phase_truth, 60, 70, {0, 2, 4}, rect)) == 0);
  CHECK(test::differences(got[1], test::cut(height_truth, 60, 70, {0}, rect)) == 0);
  CHECK(test::differences(got[2], test::cut(phase_truth, 60, 70, {1}, rect)) == 0);

  test::make_image_file(folder.file("c.h5"), "d", {.shape = {60, 71}});
  const auto text = error_of([&] {
    make_h5_source({{"phase", folder.file("a.h5"), "phase", {0}}, {"d", folder.file("c.h5"), "d", {}}}, {}, log);
  });
  CHECK(contains(text, "60 x 70"));
  CHECK(contains(text, "60 x 71"));
}

TEST_CASE("a few pixels of all layers are read whatever the chunks are") {
  Log log(Verbosity::quiet);
  const TileRect rect{33, 40, 5, 5};
  for (const std::vector<hsize_t>& chunk : {std::vector<hsize_t>{}, {1, 101, 67}, {6, 20, 20}}) {
    for (const std::vector<int>& filters : {std::vector<int>{}, {2, 1}}) {
      if (chunk.empty() && !filters.empty()) continue;
      const test::TempFolder folder;
      const auto truth =
          test::make_image_file(folder.file("x.h5"), "d", {.shape = {13, 101, 67}, .chunk = chunk, .filters = filters});
      const auto got = read_rect({"p", folder.file("x.h5"), "d", {12, 3}}, rect, {}, log);
      CHECK(test::differences(got, test::cut(truth, 101, 67, {12, 3}, rect)) == 0);
    }
  }
}

TEST_CASE("a bool mask is read as zeros and ones") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Tenum_create(H5T_STD_I8LE);
  const signed char no = 0;
  const signed char yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  const hsize_t shape[] = {2, 3};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t dataset = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const signed char values[] = {1, 0, 1, 1, 1, 0};
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  CHECK(test::read_tile(*open(path, {}), {0, 1, 2, 2})[0] == std::vector<float>{0, 1, 1, 0});
}

TEST_CASE("chunks that reach beyond an image that can grow are read") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const hsize_t shape[] = {2, 5, 7};
  const hsize_t most[] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  const hsize_t chunk[] = {3, 8, 16};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape, most);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 3, chunk);
  std::vector<float> truth(2 * 5 * 7);
  for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<float>(i);
  for (const char* name : {"plain", "packed"}) {
    if (std::string(name) == "packed") H5Pset_deflate(creation, 4);
    const hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, truth.data());
    H5Dclose(dataset);
  }
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
  Log log(Verbosity::quiet);
  for (const char* name : {"plain", "packed"}) {
    CAPTURE(name);
    const auto source = make_h5_source({{"plane", path, name, {0, 1}}}, {}, log);
    CHECK(test::read_tile(*source, {0, 0, 5, 7})[0] == truth);
    CHECK(test::read_tile(*source, {3, 2, 2, 4})[0] == test::cut(truth, 5, 7, {0, 1}, {3, 2, 2, 4}));
  }
}

TEST_CASE("what cannot be read is refused by name before anything is read") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  test::make_image_file(path, "d", {.shape = {20, 30}, .chunk = {10, 10}, .filters = {32099}});
  const auto unknown = error_of([&] { open(path, {}); });
  CHECK(contains(unknown, "32099"));
  CHECK(contains(unknown, "nobodys"));
  CHECK(contains(unknown, path));
  CHECK(contains(unknown, "d in"));
  test::make_image_file(path, "d", {.shape = {4, 20, 30}});
  CHECK(contains(error_of([&] { open(path, {4}); }), "layer 4"));
  CHECK(contains(error_of([&] { open(path, {-1}); }), "layer -1"));
  CHECK(contains(error_of([&] { open(path, {}); }), "none of the 4 layers"));
  test::make_image_file(path, "d", {.shape = {20, 30}});
  CHECK(contains(error_of([&] { open(path, {0}); }), "one image"));
  test::make_image_file(path, "d", {.shape = {20}});
  CHECK(contains(error_of([&] { open(path, {}); }), "1 dimensions"));
}

TEST_CASE("filters that only HDF5 knows are undone by HDF5") {
  CHECK(count_wrong({.shape = {4, 50, 60}, .chunk = {2, 20, 20}, .type = H5T_STD_I16LE, .filters = {5}}) == 0);
}
