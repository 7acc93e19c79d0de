// Attributes in every stored form, read as text and as numbers, and written as h5py writes a Python str.
#include "io/h5/attributes.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "io/h5/file.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using outcrop::io::Attributes;
using outcrop::io::h5::File;
using outcrop::io::h5::read_attributes;
using outcrop::io::h5::write_attributes;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

void add_numbers(H5Build& file) {
  const std::int64_t length = 45;
  const float looks = 0.4F;
  const double wavelength = 0.0555;
  const std::vector<std::int32_t> several = {1, 2, 3};
  const std::vector<double> reals = {1, 2.5};
  const std::uint64_t large = 18446744073709551615U;
  file.attribute("LENGTH", {}, H5T_STD_I64LE, H5T_NATIVE_INT64, &length);
  file.attribute("BIG_ENDIAN", {}, H5T_STD_I16BE, H5T_NATIVE_INT64, &length);
  file.attribute("UNSIGNED", {}, H5T_STD_U64LE, H5T_NATIVE_UINT64, &large);
  file.attribute("LOOKS", {}, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, &looks);
  file.attribute("WAVELENGTH", {1}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &wavelength);
  file.attribute("SEVERAL", {3}, H5T_STD_I32LE, H5T_NATIVE_INT32, several.data());
  file.attribute("REALS", {2}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, reals.data());
  const hid_t type = outcrop::test::make_bool_type();
  const signed char yes = 1;
  file.attribute("FLAG", {}, type, type, &yes);
  H5Tclose(type);
}

void add_texts(H5Build& file) {
  file.text_attribute("PROCESSOR", "Åbo 東京");
  file.text_attribute("EMPTY", "");
  file.fixed_attribute("WIDTH", "60", 4, H5T_STR_NULLPAD);
  file.fixed_attribute("EXACT", "abcd", 4, H5T_STR_NULLPAD);
  file.fixed_attribute("BLANKS", "ab ", 6, H5T_STR_SPACEPAD);
  file.fixed_attribute("TERMINATED", "ab", 6, H5T_STR_NULLTERM);
  file.text_attribute("REF_Y", "2.0");
  file.text_attribute("REF_X", " 2");
  file.text_attribute("beam_mode", "IW");
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  const std::vector<const char*> names = {"a", "b"};
  file.attribute("LIST", {2}, type, type, names.data());
  file.attribute("ONE", {1}, type, type, names.data());
  const hid_t null_space = H5Screate(H5S_NULL);
  H5Aclose(H5Acreate2(file.id(), "NULL", type, null_space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(null_space);
  H5Tclose(type);
}

}  // namespace

TEST_CASE("numbers become the text that Python gives them") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    add_numbers(file);
  }
  const auto attributes = read_attributes(File::open(path));
  CHECK(attributes.get("LENGTH") == "45");
  CHECK(attributes.get("BIG_ENDIAN") == "45");
  CHECK(attributes.get("UNSIGNED") == "18446744073709551615");
  CHECK(attributes.get("LOOKS") == "0.4");
  CHECK(attributes.get("WAVELENGTH") == "0.0555");
  CHECK(attributes.get("SEVERAL") == "[1, 2, 3]");
  CHECK(attributes.get("REALS") == "[1.0, 2.5]");
  CHECK(attributes.get("FLAG") == "True");
  CHECK(attributes.number("WAVELENGTH") == 0.0555);
}

TEST_CASE("texts of every padding and length are read, keys are case-sensitive") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    add_texts(file);
  }
  const auto attributes = read_attributes(File::open(path));
  CHECK(attributes.get("PROCESSOR") == "Åbo 東京");
  CHECK(attributes.get("EMPTY") == "");
  CHECK(attributes.get("WIDTH") == "60");
  CHECK(attributes.get("EXACT") == "abcd");
  CHECK(attributes.get("BLANKS") == "ab");
  CHECK(attributes.get("TERMINATED") == "ab");
  CHECK(attributes.get("LIST") == "['a', 'b']");
  CHECK(attributes.get("ONE") == "a");
  CHECK(attributes.get("NULL") == "");
  CHECK(attributes.integer("REF_Y") == 2);
  CHECK(attributes.integer("REF_X") == 2);
  CHECK(attributes.integer("WIDTH") == 60);
  CHECK(attributes.get("beam_mode") == "IW");
  CHECK_FALSE(attributes.get("BEAM_MODE"));
  CHECK_FALSE(attributes.number("ABSENT"));
}

TEST_CASE("attributes of more than 64 kB in dense storage and by the hundred are read") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  const std::string large(70000, 'x');
  {
    H5Build file(path, true);
    file.fixed_attribute("LARGE", large, large.size(), H5T_STR_NULLPAD);
    file.text_attribute("LARGE_VARIABLE", large);
    for (int i = 0; i < 200; ++i) file.text_attribute("key" + std::to_string(i), std::to_string(i));
  }
  const auto attributes = read_attributes(File::open(path));
  CHECK(attributes.all().size() == 202);
  CHECK(attributes.get("LARGE") == large);
  CHECK(attributes.get("LARGE_VARIABLE") == large);
  CHECK(attributes.integer("key199") == 199);
}

TEST_CASE("references are left out, attributes of datasets are found") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    file.floats("data", {1}, {1});
    file.text_attribute("MODIFICATION_TIME", "1600000000.5", "/data");
    hobj_ref_t reference = {};
    H5Rcreate(&reference, file.id(), "/data", H5R_OBJECT, -1);
    file.attribute("REFERENCE", {}, H5T_STD_REF_OBJ, H5T_STD_REF_OBJ, &reference);
  }
  const auto file = File::open(path);
  CHECK(read_attributes(file).all().empty());
  CHECK(read_attributes(file, "data").number("MODIFICATION_TIME") == 1600000000.5);
  CHECK(contains(error_of([&] { read_attributes(file, "gone"); }), path));
}

TEST_CASE("what is not a number is named with its text") {
  Attributes attributes;
  attributes.set("WAVELENGTH", "five");
  attributes.set("LENGTH", "2.5");
  attributes.set("HEIGHT", "nan");
  CHECK(contains(error_of([&] { attributes.number("WAVELENGTH"); }), "WAVELENGTH is 'five'"));
  CHECK(contains(error_of([&] { attributes.integer("LENGTH"); }), "LENGTH is '2.5'"));
  CHECK(contains(error_of([&] { attributes.number("HEIGHT"); }), "HEIGHT is 'nan'"));
}

TEST_CASE("setting replaces in place or appends, removing removes") {
  Attributes attributes;
  attributes.set("a", "1");
  attributes.set("b", "2");
  attributes.set("a", "3");
  CHECK(attributes.all() == std::vector<std::pair<std::string, std::string>>{{"a", "3"}, {"b", "2"}});
  attributes.remove("a");
  attributes.remove("absent");
  CHECK(attributes.all().size() == 1);
}

TEST_CASE("attributes are written as h5py writes a str, and read back the same") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  Attributes attributes;
  attributes.set("PROCESSOR", "Åbo");
  attributes.set("EMPTY", "");
  attributes.set("LARGE", std::string(70000, 'y'));
  {
    auto file = File::create(path);
    write_attributes(file, attributes);
    attributes.set("EMPTY", "replaced");
    write_attributes(file, attributes);
    file.close();
  }
  CHECK(read_attributes(File::open(path)).all() == attributes.all());
  const auto file = File::open(path);
  const hid_t attribute = H5Aopen(file.id(), "PROCESSOR", H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  const hid_t space = H5Aget_space(attribute);
  CHECK(H5Tis_variable_str(type) > 0);
  CHECK(H5Tget_cset(type) == H5T_CSET_UTF8);
  CHECK(H5Tget_strpad(type) == H5T_STR_NULLTERM);
  CHECK(H5Sget_simple_extent_type(space) == H5S_SCALAR);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
}
