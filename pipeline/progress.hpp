// Progress: how far a run is, on standard error: a bar on a terminal, a line about every ten seconds elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace outcrop::pipeline {

enum class ProgressStyle { automatic, plain, none };

/// Thread-safe; throttles itself.
class Progress {
 public:
  Progress(ProgressStyle style, std::int64_t total_pixels);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `bytes_read`: so far, all tiles.
  void tile_done(std::int64_t pixels, std::int64_t bytes_read);

  /// Completes the bar or prints the last line.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "42 %  118 MB/s  1.25e+05 pixels/s  3 min 05 s left": for tests and both styles.
std::string progress_text(std::int64_t done, std::int64_t total, std::int64_t bytes_read, double elapsed_s);

}  // namespace outcrop::pipeline
