// Bands of rows of the series and of the truth, one beside the other.
#include "tools/outcrop/simulate/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "core/tile.hpp"
#include "io/contents.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t band_values = std::int64_t{8} << 20;  // of one series in memory

/// The files of one scene.
class Comparison {
 public:
  Comparison(const std::string& dir, Log& log)
      : truth_(io::open_blocks(dir + "/truth.h5", "timeseries", log)),
        kind_(io::open_blocks(dir + "/truth.h5", "pixelKind", log)),
        series_(io::open_blocks(dir + "/timeseries.h5", "timeseries", log)),
        quality_(io::open_blocks(dir + "/temporalCoherence.h5", "temporalCoherence", log)) {
    const auto same_map = [this](const io::BlockReader& other) {
      return other.rows() == truth_->rows() && other.cols() == truth_->cols();
    };
    if (series_->layers() == truth_->layers() && same_map(*series_) && same_map(*quality_)) return;
    fail(
        Errc::input,
        fmt::format("comparing {0}/timeseries.h5 with {0}/truth.h5: {1} dates of {2} x {3} pixels against {4} of {5} x "
                    "{6}; both must be of the same scene, with all of its dates",
                    dir, series_->layers(), series_->rows(), series_->cols(), truth_->layers(), truth_->rows(),
                    truth_->cols()));
  }

  TruthCheck run() {
    const std::int64_t rows = std::max<std::int64_t>(1, band_values / (truth_->layers() * truth_->cols()));
    const TileGrid grid(truth_->rows(), truth_->cols(), rows, truth_->cols());
    for (std::int64_t band = 0; band < grid.count(); ++band) compare(grid.rect(band));
    const double values = static_cast<double>(std::max<std::int64_t>(result_.compared, 1) * truth_->layers());
    result_.pixels = truth_->rows() * truth_->cols();
    result_.rms_m = std::sqrt(squares_ / values);
    result_.truth_rms_m = std::sqrt(truth_squares_ / values);
    return result_;
  }

 private:
  void compare(const TileRect& rect) {
    const std::vector<double> truth = truth_->read(rect);
    const std::vector<double> series = series_->read(rect);
    const std::vector<double> kind = kind_->read(rect);
    const std::vector<double> quality = quality_->read(rect);
    const std::size_t pixels = kind.size();
    for (std::size_t p = 0; p < pixels; ++p) {
      if (quality[p] > 0) ++result_.solved;
      if (kind[p] != static_cast<double>(PixelKind::whole) || !(quality[p] >= min_temporal_coherence)) continue;
      ++result_.compared;
      for (std::size_t at = p; at < truth.size(); at += pixels) add(series[at], truth[at]);
    }
  }

  void add(double series, double truth) {
    const double difference = series - truth;
    squares_ += difference * difference;
    truth_squares_ += truth * truth;
    if (!(std::abs(difference) <= result_.max_m)) result_.max_m = std::abs(difference);
  }

  std::unique_ptr<io::BlockReader> truth_;
  std::unique_ptr<io::BlockReader> kind_;
  std::unique_ptr<io::BlockReader> series_;
  std::unique_ptr<io::BlockReader> quality_;
  TruthCheck result_;
  double squares_ = 0;
  double truth_squares_ = 0;
};

}  // namespace

TruthCheck check_truth(const std::string& dir, Log& log) { return Comparison(dir, log).run(); }

}  // namespace outcrop::tools
