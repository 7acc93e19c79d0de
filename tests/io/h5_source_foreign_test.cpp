// Values in other files: virtual datasets, external storage and links, followed only where that is safe.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <filesystem>

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

std::unique_ptr<TileSource> open(const std::string& path, std::vector<std::int64_t> layers,
                                 bool allow_external = false) {
  Log log(Verbosity::quiet);
  return make_h5_source({{"plane", path, "d", std::move(layers)}}, {allow_external}, log);
}

/// [2, 20, 30] whose layers are the datasets "d" of two files.
void make_virtual(const std::string& path, const std::string& first, const std::string& second) {
  const hsize_t shape[] = {2, 20, 30};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t source_space = H5Screate_simple(2, shape + 1, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t count[] = {1, 20, 30};
  for (hsize_t layer = 0; layer < 2; ++layer) {
    const hsize_t start[] = {layer, 0, 0};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    H5Pset_virtual(creation, space, (layer == 0 ? first : second).c_str(), "d", source_space);
  }
  H5Sselect_all(space);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "d", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Fclose(file);
  H5Pclose(creation);
  H5Sclose(source_space);
  H5Sclose(space);
}

}  // namespace

TEST_CASE("a virtual dataset with all its sources in the same folder is read") {
  const test::TempFolder folder;
  const auto a = test::make_image_file(folder.file("a.h5"), "d", {.shape = {20, 30}});
  const auto b =
      test::make_image_file(folder.file("b.h5"), "d", {.shape = {20, 30}, .chunk = {7, 7}, .filters = {1}, .seed = 2});
  make_virtual(folder.file("v.h5"), "a.h5", "b.h5");
  auto truth = a;
  truth.insert(truth.end(), b.begin(), b.end());
  const auto got = test::read_tile(*open(folder.file("v.h5"), {1, 0, 1}), {3, 4, 10, 20});
  CHECK(test::differences(got[0], test::cut(truth, 20, 30, {1, 0, 1}, {3, 4, 10, 20})) == 0);
}

TEST_CASE("a virtual dataset with a missing, outside or unreadable source is refused") {
  const test::TempFolder folder;
  std::filesystem::create_directory(folder.path() / "in");
  test::make_image_file(folder.file("in/a.h5"), "d", {.shape = {20, 30}});
  test::make_image_file(folder.file("out.h5"), "d", {.shape = {20, 30}});
  const std::string path = folder.file("in/v.h5");
  make_virtual(path, "a.h5", "gone.h5");
  CHECK(contains(error_of([&] { open(path, {0}); }), "gone.h5"));
  CHECK(contains(error_of([&] { open(path, {0}, true); }), "gone.h5"));
  make_virtual(path, "a.h5", "../out.h5");
  CHECK(contains(error_of([&] { open(path, {0}); }), "--allow-external"));
  CHECK(error_of([&] { open(path, {0}, true); }).empty());
  make_virtual(path, "a.h5", folder.file("out.h5"));
  CHECK(contains(error_of([&] { open(path, {0}); }), "--allow-external"));
  test::make_image_file(folder.file("in/lzf.h5"), "d", {.shape = {20, 30}, .chunk = {5, 5}, .filters = {32000}});
  make_virtual(path, "a.h5", "lzf.h5");
  CHECK(contains(error_of([&] { open(path, {0}); }), "32000"));
}

TEST_CASE("virtual datasets that lead to one another are refused") {
  const test::TempFolder folder;
  make_virtual(folder.file("v.h5"), "w.h5", "w.h5");
  make_virtual(folder.file("w.h5"), "v.h5", "v.h5");
  CHECK(contains(error_of([&] { open(folder.file("v.h5"), {0}); }), "one another"));
}

TEST_CASE("external storage is followed only when it is allowed and whole") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  const std::string values = folder.file("values.bin");
  const hsize_t shape[] = {2, 3};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, values.c_str(), 8, 24);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, "d", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Fclose(file);
  H5Pclose(creation);
  H5Sclose(space);
  CHECK(contains(error_of([&] { open(path, {}); }), "--allow-external"));
  CHECK(contains(error_of([&] { open(path, {}, true); }), "values.bin"));
  const float numbers[] = {9, 9, 1, 2, 3, 4, 5, 6};
  test::write_bytes(values, std::string(reinterpret_cast<const char*>(numbers), sizeof numbers));
  CHECK(test::read_tile(*open(path, {}, true), {0, 1, 2, 2})[0] == std::vector<float>{2, 3, 5, 6});
  std::filesystem::resize_file(values, sizeof numbers - 4);
  CHECK(contains(error_of([&] { open(path, {}, true); }), "cut off"));
}

TEST_CASE("a link into another file is followed only when it is allowed") {
  const test::TempFolder folder;
  const auto truth =
      test::make_image_file(folder.file("a.h5"), "real", {.shape = {20, 30}, .chunk = {8, 8}, .filters = {1}});
  const hid_t file = H5Fcreate(folder.file("x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("a.h5", "real", file, "d", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  CHECK(contains(error_of([&] { open(folder.file("x.h5"), {}); }), "--allow-external"));
  const auto got = test::read_tile(*open(folder.file("x.h5"), {}, true), {0, 0, 20, 30});
  CHECK(test::differences(got[0], truth) == 0);
}
