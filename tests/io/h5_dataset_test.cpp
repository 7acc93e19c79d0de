// How datasets are stored, and small ones read whole: byte orders, paddings, booleans, and sizes that a file only
// claims.
#include "io/h5/dataset.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop::io::h5;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

constexpr auto huge = std::uint64_t{1} << 40;

hid_t chunked(const std::vector<hsize_t>& chunk) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  return creation;
}

}  // namespace

TEST_CASE("chunks, filters and fill value of a dataset are read") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    const hid_t creation = chunked({2, 5, 4});
    const float fill = std::numeric_limits<float>::quiet_NaN();
    H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &fill);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 4);
    file.dataset("z", {7, 11, 9}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr, creation);
    H5Pclose(creation);
  }
  const auto file = File::open(path);
  const auto info = Dataset::open(file, "z").info();
  CHECK(info.shape == std::vector<std::int64_t>{7, 11, 9});
  CHECK(info.chunk == std::vector<std::int64_t>{2, 5, 4});
  CHECK(info.layout == Layout::chunked);
  REQUIRE(info.filters.size() == 2);
  CHECK(info.filters[0].id == 2);
  CHECK(info.filters[1].id == 1);
  CHECK(info.filters[1].parameters == std::vector<unsigned>{4});
  CHECK(info.fill_value != info.fill_value);
  CHECK(info.address == -1);
  CHECK(info.path == path);
  CHECK(describe(info) == "chunks 2 x 5 x 4, gzip + shuffle, float32");
}

TEST_CASE("types are told apart, and those that our own code can convert are marked") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    file.dataset("be", {1}, H5T_IEEE_F64BE, H5T_NATIVE_FLOAT, nullptr);
    file.dataset("i16", {1}, H5T_STD_I16BE, H5T_NATIVE_INT, nullptr);
    file.dataset("u8", {1}, H5T_STD_U8LE, H5T_NATIVE_INT, nullptr);
    const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    file.dataset("f16", {1}, half, half, nullptr);
    H5Tset_ebias(half, 14);
    file.dataset("odd", {1}, half, half, nullptr);
    H5Tclose(half);
    const hid_t padded = H5Tcopy(H5T_STD_I32LE);
    H5Tset_precision(padded, 12);
    file.dataset("i12", {1}, padded, padded, nullptr);
    H5Tclose(padded);
    file.bools("flag", {1, 0});
    file.strings("text", {1}, 8, {"20200101"});
  }
  const auto file = File::open(path);
  const auto type = [&](const char* name) { return Dataset::open(file, name).info().type; };
  CHECK(describe(type("be")) == "float64 (big-endian)");
  CHECK(type("be").plain);
  CHECK(describe(type("i16")) == "int16 (big-endian)");
  CHECK(describe(type("u8")) == "uint8");
  CHECK_FALSE(type("u8").is_signed);
  CHECK(type("f16").plain);
  CHECK_FALSE(type("odd").plain);
  CHECK_FALSE(type("i12").plain);
  CHECK(type("flag").kind == TypeClass::boolean);
  CHECK(describe(type("text")) == "text of 8 bytes");
}

TEST_CASE("the last character of an eight-character date survives every padding") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  const std::vector<std::string> dates = {"20200101", "20200102", "20200103"};
  {
    H5Build file(path);
    file.strings("nullpad", {3}, 8, dates, H5T_STR_NULLPAD);
    file.strings("nullterm", {3}, 9, dates, H5T_STR_NULLTERM);
    file.strings("spacepad", {3}, 12, dates, H5T_STR_SPACEPAD);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const std::vector<const char*> texts = {"20200101", "20200102  ", nullptr};
    file.dataset("variable", {3}, type, type, texts.data());
    H5Tclose(type);
  }
  const auto file = File::open(path);
  for (const char* name : {"nullpad", "nullterm", "spacepad"}) {
    CAPTURE(name);
    CHECK(Dataset::open(file, name).read_strings() == dates);
  }
  CHECK(Dataset::open(file, "variable").read_strings() == std::vector<std::string>{"20200101", "20200102", ""});
}

TEST_CASE("numbers of any type and order are read, booleans among them") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    const std::vector<double> values = {-2.5, 0, 7};
    file.dataset("f64be", {3}, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, values.data());
    file.dataset("i16", {3}, H5T_STD_I16BE, H5T_NATIVE_DOUBLE, values.data());
    file.bools("flag", {1, 0, 1});
    file.floats("none", {0}, {});
  }
  const auto file = File::open(path);
  CHECK(Dataset::open(file, "f64be").read_numbers() == std::vector<double>{-2.5, 0, 7});
  CHECK(Dataset::open(file, "i16").read_numbers() == std::vector<double>{-2, 0, 7});
  CHECK(Dataset::open(file, "flag").read_numbers() == std::vector<double>{1, 0, 1});
  CHECK(Dataset::open(file, "none").read_numbers().empty());
  CHECK(contains(error_of([&] { Dataset::open(file, "flag").read_strings(); }), "holds bool, not text"));
}

TEST_CASE("a block of a dataset is read alone") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  std::vector<float> values(2 * 3 * 4 * 5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  {
    H5Build file(path);
    file.floats("x", {2, 3, 4, 5}, values);
  }
  const auto file = File::open(path);
  const auto dataset = Dataset::open(file, "x");
  CHECK(dataset.read_block({1, 2, 1, 0}, {1, 1, 2, 5}) ==
        std::vector<double>{105, 106, 107, 108, 109, 110, 111, 112, 113, 114});
  CHECK_FALSE(error_of([&] { dataset.read_block({1, 2, 3, 0}, {1, 1, 2, 5}); }).empty());
}

TEST_CASE("a size that a file only claims takes no memory") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    const hid_t cube = chunked({1, 64, 64});
    file.dataset("cube", {7, huge, huge}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, nullptr, cube);
    H5Pclose(cube);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 8);
    const hid_t rows = chunked({1000, 2});
    file.dataset("date", {1000000000, 2}, type, type, nullptr, rows);
    H5Pclose(rows);
    H5Tset_size(type, std::size_t{1} << 30);
    const hid_t one = chunked({1});
    file.dataset("long", {1}, type, type, nullptr, one);
    H5Pclose(one);
    H5Tclose(type);
  }
  const auto file = File::open(path);
  CHECK(Dataset::open(file, "cube").info().shape == std::vector<std::int64_t>{7, huge, huge});
  CHECK(contains(error_of([&] { Dataset::open(file, "cube").read_numbers(); }), "too many"));
  CHECK(contains(error_of([&] { Dataset::open(file, "date").read_strings(); }), "1000000000 x 2"));
  CHECK(contains(error_of([&] { Dataset::open(file, "long").read_strings(); }), "too many"));
}

TEST_CASE("a dataset that is not there is named together with those that are") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  { H5Build(path).floats("here", {1}, {1}); }
  const auto file = File::open(path);
  const auto text = error_of([&] { Dataset::open(file, "gone"); });
  CHECK(contains(text, "gone"));
  CHECK(contains(text, path));
  CHECK(contains(text, "here"));
}
