// Tests of core/log: what is shown at which verbosity, and that it all goes to standard error.
#include "core/log.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "core/error.hpp"

using outcrop::Log;
using outcrop::Verbosity;

namespace {

/// What `action` leaves on a file descriptor of the process.
template <class Action>
std::string captured(int descriptor, Action action) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) outcrop::fail(outcrop::Errc::internal, "no pipe");
  const int saved = dup(descriptor);
  dup2(pipe_ends[1], descriptor);
  action();
  static_cast<void>(std::fflush(nullptr));
  dup2(saved, descriptor);
  close(saved);
  close(pipe_ends[1]);
  std::string text(1 << 14, '\0');
  const auto count = read(pipe_ends[0], text.data(), text.size());
  close(pipe_ends[0]);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

void say_everything(Verbosity verbosity) {
  Log log(verbosity);
  log.detail("a detail");
  log.info("an info");
  log.warn("a {} warning");
  log.error("an error");
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("warnings and errors are shown even when quiet, and braces are plain text") {
  const std::string text = captured(STDERR_FILENO, [] { say_everything(Verbosity::quiet); });
  CHECK_FALSE(has(text, "a detail"));
  CHECK_FALSE(has(text, "an info"));
  CHECK(has(text, "a {} warning"));
  CHECK(has(text, "an error"));
}

TEST_CASE("details are shown only when verbose") {
  CHECK_FALSE(has(captured(STDERR_FILENO, [] { say_everything(Verbosity::normal); }), "a detail"));
  CHECK(has(captured(STDERR_FILENO, [] { say_everything(Verbosity::normal); }), "an info"));
  CHECK(has(captured(STDERR_FILENO, [] { say_everything(Verbosity::verbose); }), "a detail"));
}

TEST_CASE("nothing goes to standard output") {
  CHECK(captured(STDOUT_FILENO, [] {
          static_cast<void>(captured(STDERR_FILENO, [] { say_everything(Verbosity::verbose); }));
        }).empty());
}
