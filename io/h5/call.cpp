#include "io/h5/call.hpp"

#include <fmt/format.h>

#include <string_view>

#include "io/h5/lzf_filter.hpp"

namespace outcrop::io::h5 {
namespace {

/// H5Ewalk2 callback: innermost frame last, so the last one kept is the library's first reason.
herr_t collect(unsigned, const H5E_error2_t* frame, void* data) {
  auto& stack = *static_cast<std::string*>(data);
  stack += fmt::format("  {}: {}\n", frame->func_name, frame->desc != nullptr ? frame->desc : "");
  return 0;
}

/// Where the system refused, the library's reason is a list of numbers with the system's words between quotes.
std::string words_of_the_system(const std::string& reason) {
  constexpr std::string_view before = "error message = '";
  const auto begin = reason.find(before);
  if (begin == std::string::npos) return reason;
  const auto words = reason.substr(begin + before.size());
  return words.substr(0, words.find('\''));
}

std::string first_reason(const std::string& stack) {
  const auto end = stack.find_last_not_of('\n');
  if (end == std::string::npos) return "no reason given";
  const auto begin = stack.rfind('\n', end);
  const auto line =
      stack.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin));
  const auto colon = line.find(": ");
  return words_of_the_system(colon == std::string::npos ? line : line.substr(colon + 2));
}

}  // namespace

void throw_last_error(const char* function, SourceLocation where) {
  std::string stack;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &stack);
  H5Eclear2(H5E_DEFAULT);
  throw Error(Errc::io, fmt::format("HDF5 refused {} ({})", function, first_reason(stack)), where).with_detail(stack);
}

std::unique_lock<std::recursive_mutex> library_lock() {
  // The lock guards a library that is global itself; there is one HDF5 in a process.
  static std::recursive_mutex mutex;
  std::unique_lock lock(mutex);
  static const bool library_prepared = [] {
    // At exit the library closes what it still holds, and crashes where an earlier close failed (a disk was full).
    H5dont_atexit();
    H5PLset_loading_state(0);
    register_lzf_filter();
    return true;
  }();
  // Automatic printing is a setting of each thread.
  thread_local const bool thread_prepared = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(library_prepared && thread_prepared);
  return lock;
}

}  // namespace outcrop::io::h5
