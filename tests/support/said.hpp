// What a piece of code says on standard error.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace outcrop::test {

/// Runs `body` and gives all that came out on standard error meanwhile.
template <class Body>
std::string said_by(Body&& body) {
  std::FILE* file = std::tmpfile();
  std::fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  const auto put_back = [&] {
    std::fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
  };
  try {
    body();
  } catch (...) {
    put_back();
    std::fclose(file);
    throw;
  }
  put_back();
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace outcrop::test
