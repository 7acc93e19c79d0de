// File systems without locks, and folders that cannot be written: inputs are read all the same, and left as they were.
#include <doctest/doctest.h>
#include <hdf5.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "io/flat_sink.hpp"
#include "io/h5/dataset.hpp"
#include "io/h5_source.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"

namespace fs = std::filesystem;
using namespace outcrop;
using namespace outcrop::io;

namespace {
int lock_error = 0;
}

/// Stands before the system's own, for HDF5 too.
extern "C" int flock(int, int) noexcept {
  if (lock_error == 0) return 0;
  errno = lock_error;
  return -1;
}

namespace {

std::vector<float> read(const std::string& path) {
  Log log(Verbosity::quiet);
  const auto source = make_h5_source({{"plane", path, "d", {0, 1}}}, {}, log);
  return test::read_tile(*source, {0, 0, 20, 20})[0];
}

struct RestoredLocks {
  ~RestoredLocks() { lock_error = 0; }
};

}  // namespace

TEST_CASE("a file system that cannot lock is no obstacle, neither to reading nor to writing") {
  const RestoredLocks restored;
  const test::TempFolder folder;
  const auto truth = test::make_image_file(folder.file("x.h5"), "d", {.shape = {2, 20, 20}, .chunk = {1, 8, 8}});
  Log log(Verbosity::quiet);
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, EROFS}) {
    lock_error = error;
    CAPTURE(error);
    CHECK(test::differences(read(folder.file("x.h5")), truth) == 0);
    OutputFile output;
    output.path = folder.file("out.h5");
    output.tiled = {{"map", "map", 1, true, DType::f32, {}}};
    const auto sink = make_flat_sink(2, 2, {output}, log);
    sink->begin();
    const std::vector<float> values = {1, 2, 3, 4};
    sink->write({0, {0, 0, 2, 2}, reinterpret_cast<const std::byte*>(values.data()), 16, 8});
    sink->commit({{"outcrop.run_id", "1"}});
    CHECK(h5::Dataset::open(h5::File::open(output.path), "map").read_numbers() == std::vector<double>{1, 2, 3, 4});
  }
}

TEST_CASE("a lock that somebody holds is an error that says so") {
  const RestoredLocks restored;
  const test::TempFolder folder;
  test::make_image_file(folder.file("x.h5"), "d", {.shape = {2, 20, 20}});
  lock_error = EWOULDBLOCK;
  CHECK(test::contains(test::error_of([&] { read(folder.file("x.h5")); }), "another program has"));
}

TEST_CASE("reading leaves no trace in the folder of the input, which may be read-only") {
  const test::TempFolder folder;
  const fs::path inputs = folder.path() / "inputs";
  fs::create_directory(inputs);
  const std::string path = (inputs / "x.h5").string();
  const auto truth = test::make_image_file(path, "d", {.shape = {2, 20, 20}, .chunk = {2, 7, 9}, .filters = {1}});
  const auto bytes = test::read_bytes(path);
  fs::permissions(path, fs::perms::owner_read);
  fs::permissions(inputs, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(test::differences(read(path), truth) == 0);
  fs::permissions(inputs, fs::perms::owner_all);
  CHECK(std::distance(fs::directory_iterator(inputs), fs::directory_iterator()) == 1);
  CHECK(test::read_bytes(path) == bytes);
}
