// Error: the one exception type of outcrop. A sentence a user can act on, with the context that each level adds once.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace outcrop {

/// What kind of thing went wrong; decides the exit code together with the moment it happened (tools/outcrop/main.cpp).
enum class Errc {
  usage,          ///< a flag, a config key or a template value
  input,          ///< a file that is missing, contradicts itself or another file
  unsupported,    ///< a valid input in a form that outcrop does not read
  io,             ///< the operating system refused a read, write, rename ...
  corrupt,        ///< bytes that do not decode
  out_of_memory,  ///< host, pinned or device memory; the message states the bytes
  device,         ///< an accelerator failed or is not there
  cancelled,      ///< a signal or a time limit
  internal        ///< an invariant of outcrop itself does not hold
};

/// Where in the source an Error was made. (clang-14, which runs clang-tidy, has no std::source_location.)
struct SourceLocation {
  const char* file = "";
  int line = 0;
  static constexpr SourceLocation current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

class Error : public std::exception {
 public:
  Error(Errc code, std::string sentence, SourceLocation where = SourceLocation::current());

  /// The same error with one more frame of context: "reading tile 12 of /timeseries in ts.h5". Outer frames last.
  Error& within(std::string context) &;
  Error&& within(std::string context) &&;

  /// What the library below said, in its own words (an HDF5 error stack); shown only with -v.
  Error& with_detail(std::string detail) &;
  Error&& with_detail(std::string detail) &&;

  Errc code() const noexcept { return code_; }
  SourceLocation where() const noexcept { return where_; }
  const std::string& detail() const noexcept { return detail_; }

  /// The context from the outside in, then the sentence: "reading ts.h5: reading chunk 3: the file ends too early".
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Errc code_;
  std::string text_;
  std::string detail_;
  SourceLocation where_;
};

[[noreturn]] void fail(Errc code, std::string sentence, SourceLocation where = SourceLocation::current());

/// The current exception as an Error, whatever was thrown. Call only inside a catch block.
Error current_error();

}  // namespace outcrop
