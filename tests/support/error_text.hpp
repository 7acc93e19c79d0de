// What a failing call says, for tests that judge the sentence.
#pragma once

#include <string>

#include "core/error.hpp"

namespace outcrop::test {

/// The text of the Error that `body` throws; empty when it throws none.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace outcrop::test
