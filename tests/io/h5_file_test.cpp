// Opening HDF5 files: what is no HDF5 file ends in a sentence that names it, and never in a wait.
#include "io/h5/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "io/descriptor.hpp"
#include "io/h5/dataset.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using outcrop::io::h5::File;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

void make_small(const std::string& path, bool latest = false) {
  H5Build file(path, latest);
  file.floats("b", {2, 3}, {1, 2, 3, 4, 5, 6});
  file.floats("a", {1}, {7});
}

/// The sentence names the file and says `found`.
void check_refused(const std::string& path, const std::string& found) {
  CAPTURE(path);
  const auto text = error_of([&] { File::open(path); });
  CAPTURE(text);
  CHECK(contains(text, path));
  CHECK(contains(text, found));
}

}  // namespace

TEST_CASE("the datasets of a file are listed by name, groups and dead links left out") {
  const TempFolder folder;
  const auto path = folder.file("f.h5");
  {
    H5Build file(path);
    file.floats("b", {1}, {1});
    file.floats("a", {1}, {1});
    H5Gclose(H5Gcreate2(file.id(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Lcreate_soft("/nowhere", file.id(), "dead", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/a", file.id(), "alias", H5P_DEFAULT, H5P_DEFAULT);
  }
  const auto file = File::open(path);
  CHECK(file.dataset_names() == std::vector<std::string>{"a", "alias", "b"});
  CHECK(file.has_dataset("a"));
  CHECK(file.has_dataset("/b"));
  CHECK_FALSE(file.has_dataset("group"));
  CHECK_FALSE(file.has_dataset("dead"));
  CHECK_FALSE(file.has_dataset("absent/deeper"));
  CHECK_FALSE(file.has_dataset(""));
}

TEST_CASE("what is no HDF5 file is named for what it is") {
  const TempFolder folder;
  check_refused(folder.file("absent.h5"), "is not there");
  check_refused(folder.path().string(), "is a folder");
  const auto text = folder.file("text.h5");
  outcrop::test::write_bytes(text, std::string(3000, 'x'));
  check_refused(text, "is not an HDF5 file");
  const auto empty = folder.file("empty.h5");
  outcrop::test::write_bytes(empty, "");
  check_refused(empty, "is empty");
}

TEST_CASE("a pipe is refused without a wait") {
  const TempFolder folder;
  const auto path = folder.file("pipe.h5");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  check_refused(path, "is a pipe");
  check_refused("/dev/null", "device");
}

TEST_CASE("a file that is cut off says how many bytes are missing") {
  const TempFolder folder;
  for (const bool latest : {false, true}) {
    const auto whole = folder.file("whole.h5");
    make_small(whole, latest);
    const auto bytes = outcrop::test::read_bytes(whole);
    REQUIRE(bytes.size() > 400);
    for (const auto size : {std::size_t{96}, bytes.size() / 2, bytes.size() - 1}) {
      const auto path = folder.file("cut.h5");
      outcrop::test::write_bytes(path, bytes.substr(0, size));
      check_refused(path, "it says that it has " + std::to_string(bytes.size()) + " bytes, " + std::to_string(size));
    }
  }
}

TEST_CASE("a file whose header is damaged is refused") {
  const TempFolder folder;
  const auto path = folder.file("damaged.h5");
  make_small(path);
  auto bytes = outcrop::test::read_bytes(path);
  for (std::size_t i = 56; i < 96; ++i) bytes[i] = static_cast<char>(i * 37);
  outcrop::test::write_bytes(path, bytes);
  CHECK(contains(error_of([&] { File::open(path).dataset_names(); }), path));
}

TEST_CASE("a lock that another program holds is an error that says so, unless locking is switched off") {
  const TempFolder folder;
  const auto path = folder.file("locked.h5");
  make_small(path);
  const outcrop::io::Descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  REQUIRE(::flock(writer.get(), LOCK_EX) == 0);
  check_refused(path, "another program has");
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  CHECK(error_of([&] { File::open(path); }).empty());
  ::unsetenv("HDF5_USE_FILE_LOCKING");
  REQUIRE(::flock(writer.get(), LOCK_SH) == 0);  // another reader
  CHECK(error_of([&] { File::open(path); }).empty());
}

TEST_CASE("a file is never made over an existing one") {
  const TempFolder folder;
  const auto path = folder.file("new.h5");
  File::create(path).close();
  const auto text = error_of([&] { File::create(path); });
  CHECK(contains(text, path));
  CHECK(contains(text, "File exists"));
}
