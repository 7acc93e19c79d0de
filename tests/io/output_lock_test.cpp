// One run at a time for each series name.
#include "io/output_lock.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/error_text.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;

TEST_CASE(
    "a second run on the same series is refused with the first one's process, and may begin when that has ended") {
  const test::TempFolder folder;
  const std::string series = folder.file("timeseries.h5");
  {
    const io::OutputLock first(series);
    const std::string text = test::error_of([&] { const io::OutputLock second(series); });
    CHECK(test::contains(text, "another run is writing"));
    CHECK(test::contains(text, "process " + std::to_string(::getpid())));
    CHECK_NOTHROW(io::OutputLock(folder.file("other.h5")));
  }
  CHECK_NOTHROW(io::OutputLock{series});
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("the lock of a process that was killed is taken over") {
  const test::TempFolder folder;
  const std::string series = folder.file("timeseries.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    const io::OutputLock held(series);
    ::_exit(0);  // no destructor: as after kill -9
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(std::filesystem::exists(folder.path() / ".outcrop" / "timeseries.h5.lock"));
  CHECK_NOTHROW(io::OutputLock{series});
}

TEST_CASE("a folder that cannot be written is named") {
  const std::string text = test::error_of([] { const io::OutputLock lock("/proc/timeseries.h5"); });
  CHECK(test::contains(text, "/proc/.outcrop"));
}

TEST_CASE("a lock that cannot be written leaves nothing behind") {
  const test::TempFolder folder;
  const test::FileSizeLimit full(0);
  const std::string text = test::error_of([&] { const io::OutputLock lock(folder.file("timeseries.h5")); });
  CHECK(test::contains(text, "writing the lock"));
  CHECK(test::contains(text, "make room"));
  CHECK(std::filesystem::is_empty(folder.path()));
}
