#include "pipeline/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "core/clock.hpp"
#include "core/units.hpp"

namespace outcrop::pipeline {
namespace {

constexpr double bar_interval_s = 0.2;
constexpr double line_interval_s = 10;
constexpr int bar_width = 30;

}  // namespace

std::string progress_text(std::int64_t done, std::int64_t total, std::int64_t bytes_read, double elapsed_s) {
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1;
  const double elapsed = std::max(elapsed_s, 1e-9);
  const double left_s = share > 0 ? elapsed * (1 - share) / share : 0;
  return fmt::format("{:3.0f} %  {}/s  {:.3g} pixels/s  {} left", 100 * share,
                     format_bytes(static_cast<double>(bytes_read) / elapsed), static_cast<double>(done) / elapsed,
                     format_time(left_s));
}

struct Progress::Impl {
  std::mutex mutex;
  bool bar = false;
  bool shown = true;
  std::int64_t total = 0;
  std::int64_t done = 0;
  std::int64_t bytes = 0;
  double start_s = wall_s();
  double last_s = wall_s();

  void print() {
    const std::string text = progress_text(done, total, bytes, wall_s() - start_s);
    if (bar) {
      const auto filled = static_cast<int>(bar_width * done / std::max<std::int64_t>(total, 1));
      fmt::print(stderr, "\r[{:#<{}}{:<{}}] {}\x1b[K", "", filled, "", bar_width - filled, text);
    } else {
      fmt::print(stderr, "{}\n", text);
    }
    std::fflush(stderr);
  }
};

Progress::Progress(ProgressStyle style, std::int64_t total_pixels) : impl_(std::make_unique<Impl>()) {
  impl_->total = total_pixels;
  impl_->shown = style != ProgressStyle::none;
  impl_->bar = style == ProgressStyle::automatic && isatty(STDERR_FILENO) == 1;
}

Progress::~Progress() = default;

void Progress::tile_done(std::int64_t pixels, std::int64_t bytes_read) {
  const std::lock_guard lock(impl_->mutex);
  impl_->done += pixels;
  impl_->bytes = bytes_read;
  const double now = wall_s();
  if (!impl_->shown || now - impl_->last_s < (impl_->bar ? bar_interval_s : line_interval_s)) return;
  impl_->last_s = now;
  impl_->print();
}

void Progress::finish() {
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->shown) return;
  impl_->print();
  if (impl_->bar) fmt::print(stderr, "\n");
}

}  // namespace outcrop::pipeline
