// Datasets carried from file to file: the same values and storage, whatever the filters, without attributes.
#include "io/h5/copy.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "io/contents.hpp"
#include "io/h5/dataset.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using test::contains;
using test::error_of;
using test::H5Build;
using test::TempFolder;

namespace {

struct Files {
  TempFolder folder;
  std::string from = folder.file("from.h5");
  std::string to = folder.file("to.h5");

  void copy(const std::string& name, bool with_values) const {
    const auto source = io::h5::File::open(from);
    auto target = io::h5::File::create(to);
    with_values ? io::h5::copy_dataset(source, target, name) : io::h5::create_unfilled(source, target, name);
    target.close();
  }
};

std::vector<double> values_of(const std::string& path, const std::string& name) {
  Log log(Verbosity::quiet);
  const auto blocks = io::open_blocks(path, name, log);
  return blocks->read({0, 0, blocks->rows(), blocks->cols()});
}

/// Values that differ; NaN is NaN.
std::int64_t differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::int64_t count = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("values, type and storage are carried, attributes are not") {
  const Files files;
  {
    H5Build file(files.from);
    file.dataset("bperp", {3}, H5T_STD_I16BE, H5T_NATIVE_FLOAT, std::vector<float>{1, -2, 3}.data());
    file.text_attribute("UNIT", "m", "/bperp");
  }
  files.copy("bperp", true);
  CHECK(values_of(files.to, "bperp") == std::vector<double>{1, -2, 3});
  const auto contents = io::read_contents(files.to);
  CHECK(contents.find("bperp")->storage == io::read_contents(files.from).find("bperp")->storage);
  CHECK_FALSE(contents.find("bperp")->attributes.get("UNIT"));
}

TEST_CASE("chunks are carried as they are stored, filters that HDF5 does not know included") {
  const Files files;
  {
    const test::ForeignFilters filters;
    test::ImageSpec spec;
    spec.shape = {5, 40, 30};
    spec.chunk = {2, 16, 16};
    spec.filters = {32000};
    test::make_image_file(files.from, "image", spec);
  }
  files.copy("image", true);
  CHECK(differences(values_of(files.to, "image"), values_of(files.from, "image")) == 0);
  CHECK(io::stored_bytes(files.to, "image") == io::stored_bytes(files.from, "image"));
}

TEST_CASE("an unfilled dataset has the shape and type, reads as zeros and takes no space") {
  const Files files;
  test::ImageSpec spec;
  spec.shape = {4, 300, 200};
  spec.chunk = {1, 300, 200};
  spec.filters = {1};
  test::make_image_file(files.from, "image", spec);
  files.copy("image", false);
  CHECK(values_of(files.to, "image") == std::vector<double>(4 * 300 * 200, 0.0));
  CHECK(test::read_bytes(files.to).size() < 10000);
}

TEST_CASE("a dataset that is not there is refused with both files and its name") {
  for (const bool with_values : {true, false}) {
    const Files files;
    { const H5Build file(files.from); }
    const auto text = error_of([&] { files.copy("gone", with_values); });
    CAPTURE(text);
    for (const auto& word : {files.from, files.to, std::string("gone")}) CHECK(contains(text, word));
  }
}
