// The folders of products come with a run and go when nothing came of it.
#include "tools/outcrop/output_folders.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
namespace fs = std::filesystem;

TEST_CASE("missing folders are made, and removed while they are empty") {
  const test::TempFolder folder;
  {
    const tools::OutputFolders made({folder.file("a/b/x.h5"), folder.file("a/c/y.h5"), folder.file("z.h5"), "here.h5"});
    CHECK(fs::is_directory(folder.file("a/b")));
    CHECK(fs::is_directory(folder.file("a/c")));
  }
  CHECK(fs::is_empty(folder.path()));
  {
    const tools::OutputFolders made({folder.file("a/b/x.h5")});
    test::write_bytes(folder.file("a/file"), "kept");
  }
  CHECK(fs::exists(folder.file("a/file")));
  CHECK_FALSE(fs::exists(folder.file("a/b")));
}

TEST_CASE("a folder that was there stays") {
  const test::TempFolder folder;
  { const tools::OutputFolders made({folder.file("x.h5")}); }
  CHECK(fs::is_directory(folder.path()));
}

TEST_CASE("a file in the place of a folder is refused with its name, and nothing is left") {
  const test::TempFolder folder;
  test::write_bytes(folder.file("a"), "a file");
  const auto text = test::error_of([&] {
    const tools::OutputFolders made({folder.file("new/x.h5"), folder.file("a/b/y.h5")});
  });
  CHECK(test::contains(text, "--out-dir"));
  CHECK(test::contains(text, folder.file("a")));
  CHECK_FALSE(fs::exists(folder.file("new")));
}
