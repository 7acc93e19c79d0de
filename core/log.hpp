// Log: the thin front of the logging library. Passed in, never global; everything goes to standard error.
#pragma once

#include <memory>
#include <string>

namespace outcrop {

enum class Verbosity { quiet, normal, verbose };

/// Thread-safe. Warnings are shown even when quiet.
class Log {
 public:
  explicit Log(Verbosity verbosity);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void detail(const std::string& sentence);  ///< shown with -v
  void info(const std::string& sentence);
  void warn(const std::string& sentence);
  void error(const std::string& sentence);

  Verbosity verbosity() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace outcrop
