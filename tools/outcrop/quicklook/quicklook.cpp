// From samples to pictures, and from the report to the page.
#include "tools/outcrop/quicklook/quicklook.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "io/contents.hpp"
#include "io/replace_file.hpp"
#include "tools/outcrop/quicklook/bar_chart.hpp"
#include "tools/outcrop/quicklook/map_picture.hpp"
#include "tools/outcrop/quicklook/map_sink.hpp"
#include "tools/outcrop/quicklook/report_facts.hpp"
#include "tools/outcrop/quicklook/scale.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;

/// A picture and its file in memory, and the values that a percentile reorders.
std::int64_t drawing_bytes(const MapGrid& grid) {
  constexpr std::int64_t bytes_a_dot = 6;
  constexpr std::int64_t bytes_a_cell = 7;
  return bytes_a_dot * largest_picture(grid) + bytes_a_cell * grid.cells();
}

std::vector<KeptLayer> layers_of(const QuicklookWishes& wishes) {
  std::vector<KeptLayer> layers;
  for (const auto& map : wishes.maps) layers.push_back({map.plane, map.layer});
  return layers;
}

void check_folder(const std::string& folder) {
  std::error_code none;
  if (fs::exists(folder, none) && !fs::is_directory(folder, none)) {
    fail(Errc::usage, fmt::format("--quicklook {}: this is no folder; name one", folder));
  }
  if (fs::exists(folder, none) && ::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(Errc::usage, fmt::format("--quicklook {}: the folder cannot be written to; name another", folder));
  }
}

/// Which cells of the map have enough coherence. Reads the file once, some rows at a time.
std::vector<bool> coherent_cells(const CoherenceFile& file, const MapGrid& grid, Log& log) {
  constexpr std::int64_t band_pixels = std::int64_t{1} << 19;
  const auto blocks = io::open_blocks(file.path, file.dataset, log);
  std::vector<bool> coherent(static_cast<std::size_t>(grid.cells()));
  const std::int64_t chunk = blocks->chunk_rows();
  const std::int64_t wanted = std::max<std::int64_t>(1, band_pixels / grid.image_cols());
  const std::int64_t band = std::max(chunk, wanted / chunk * chunk);
  for (std::int64_t first = 0; first < grid.image_rows(); first += band) {
    const std::int64_t count = std::min(band, grid.image_rows() - first);
    const auto values = blocks->read({first, 0, count, grid.image_cols()});
    const auto rows = grid.rows_within(first, count);
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      for (std::int64_t col = 0; col < grid.cols(); ++col) {
        const std::int64_t pixel = (grid.image_row(row) - first) * grid.image_cols() + grid.image_col(col);
        coherent[static_cast<std::size_t>(row * grid.cols() + col)] =
            static_cast<float>(values[static_cast<std::size_t>(pixel)]) >= counted_coherence;
      }
    }
  }
  return coherent;
}

/// Numbers of a map that have data, all finite. `absolute`: without their signs.
std::vector<float> numbers_of(std::span<const float> values, const std::vector<bool>& no_data, bool absolute) {
  std::vector<float> numbers;
  numbers.reserve(values.size());
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    if (!no_data[cell] && std::isfinite(values[cell]))
      numbers.push_back(absolute ? std::abs(values[cell]) : values[cell]);
  }
  return numbers;
}

/// The values of a plane that its colours span.
std::pair<double, double> range_of(const MapWish& map, std::span<const float> values,
                                   const std::vector<bool>& no_data) {
  if (map.range) return *map.range;
  const bool symmetric = map.colouring == Colouring::diverging;
  std::vector<float> numbers = numbers_of(values, no_data, symmetric);
  const double high = percentile(numbers, 0.98);
  return {symmetric ? -high : percentile(numbers, 0.02), high};
}

/// A range of some width, whatever the values are.
std::pair<double, double> widened(std::pair<double, double> range, bool symmetric) {
  if (range.second > range.first) return range;
  if (symmetric) return {-1e-3, 1e-3};
  const double half = range.first == 0 ? 1 : std::abs(range.first) / 2;
  return {range.first - half, range.first + half};
}

std::string number_text(double value) { return fmt::format("{:.3g}", value + 0.0); }

std::string caption_of(const MapWish& map, const ColourScale& scale, const MapGrid& grid) {
  const std::string unit = scale.unit.empty() ? "" : " " + scale.unit;
  std::string text = map.explanation;
  if (map.range) {
    text += fmt::format(" Colours from {} to {}{}.", number_text(scale.lowest), number_text(scale.highest), unit);
  } else {
    text += fmt::format(" Colours from {} to {}{}: {}; what lies beyond has the colour of the end.",
                        number_text(scale.lowest), number_text(scale.highest), unit,
                        map.colouring == Colouring::diverging ? "98 % of the values" : "2 % to 98 % of the values");
  }
  if (grid.row_step() > 1 && grid.col_step() > 1) {
    text += fmt::format(" One pixel of every {} rows and {} columns.", grid.row_step(), grid.col_step());
  } else if (grid.row_step() > 1 || grid.col_step() > 1) {
    const bool rows = grid.row_step() > 1;
    text += fmt::format(" One {} of every {}.", rows ? "row" : "column", rows ? grid.row_step() : grid.col_step());
  }
  return text;
}

void save(const std::string& path, const Canvas& canvas) { io::replace_file(path, io::encode_png(canvas.picture())); }

}  // namespace

Quicklook::Quicklook(std::string folder, QuicklookWishes wishes)
    : folder_(std::move(folder)), wishes_(std::move(wishes)) {
  check_folder(folder_);
  samples_ = std::make_shared<MapSamples>(MapGrid(wishes_.rows, wishes_.cols), layers_of(wishes_),
                                          wishes_.rms ? wishes_.rms->plane : "");
  if (!wishes_.rms || wishes_.rms->coherence_plane.empty()) return;
  for (std::size_t i = 0; i < wishes_.maps.size(); ++i) {
    if (wishes_.maps[i].plane == wishes_.rms->coherence_plane) samples_->count_from(i, counted_coherence);
  }
}

Quicklook::~Quicklook() {
  if (made_folder_ && !written_) ::rmdir(folder_.c_str());
}

std::unique_ptr<io::TileSink> Quicklook::watch(std::unique_ptr<io::TileSink> sink) const {
  return std::make_unique<MapSink>(std::move(sink), samples_, drawing_bytes(samples_->grid()));
}

void Quicklook::open(Log& log) {
  std::error_code error;
  made_folder_ = fs::create_directories(folder_, error);
  if (error) fail(Errc::usage, fmt::format("--quicklook {}: making the folder: {}", folder_, error.message()));
  check_folder(folder_);
  if (!wishes_.rms || !wishes_.rms->coherence) return;
  samples_->set_counted(coherent_cells(*wishes_.rms->coherence, samples_->grid(), log));
}

std::string Quicklook::path_of(const std::string& file) const { return (fs::path(folder_) / file).string(); }

std::string Quicklook::page_path() const { return path_of("index.html"); }

/// Pixels that a step did not solve are 0 or NaN in all its planes.
std::vector<bool> Quicklook::cells_without_data(int step) const {
  std::vector<bool> none(static_cast<std::size_t>(samples_->grid().cells()), true);
  for (std::size_t map = 0; map < wishes_.maps.size(); ++map) {
    if (wishes_.maps[map].step != step) continue;
    const auto values = samples_->layer(map);
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
      if (values[cell] != 0 && !std::isnan(values[cell])) none[cell] = false;
    }
  }
  return none;
}

std::vector<ColourScale> Quicklook::scales(const NoData& no_data) const {
  const auto& maps = wishes_.maps;
  std::vector<std::pair<double, double>> own;
  for (std::size_t i = 0; i < maps.size(); ++i)
    own.push_back(range_of(maps[i], samples_->layer(i), no_data.at(maps[i].step)));
  std::vector<ColourScale> scales;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    auto range = own[i];
    for (std::size_t k = 0; k < maps.size(); ++k) {
      if (maps[i].family.empty() || maps[k].family != maps[i].family) continue;
      range = {std::min(range.first, own[k].first), std::max(range.second, own[k].second)};
    }
    range = widened(range, maps[i].colouring == Colouring::diverging);
    ColourScale scale{maps[i].colouring, range.first, range.second, 1, maps[i].unit, maps[i].whole_numbers ? 1.0 : 0.0};
    if (maps[i].handy_length) scale = length_scale(maps[i].colouring, range.first, range.second);
    scales.push_back(scale);
  }
  return scales;
}

std::vector<Figure> Quicklook::write_maps() const {
  const MapGrid& grid = samples_->grid();
  const Ground ground = ground_of(wishes_.attributes, wishes_.rows, wishes_.cols);
  NoData no_data;
  for (const MapWish& map : wishes_.maps) {
    if (!no_data.contains(map.step)) no_data[map.step] = cells_without_data(map.step);
  }
  const std::vector<ColourScale> all_scales = scales(no_data);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < wishes_.maps.size(); ++i) {
    const MapWish& map = wishes_.maps[i];
    const Canvas canvas = draw_map({grid, samples_->layer(i), no_data.at(map.step), all_scales[i], map.title, ground});
    save(path_of(map.file), canvas);
    figures.push_back(
        {map.file, canvas.picture().width, canvas.picture().height, map.title, caption_of(map, all_scales[i], grid)});
  }
  return figures;
}

Figure Quicklook::write_rms() const {
  constexpr double mm_a_metre = 1000;
  BarChart chart{"Residual RMS of each date", "mm", {}, {}};
  for (const auto& sum : samples_->squares()) chart.heights.push_back(sum.root_mean() * mm_a_metre);
  for (const auto& date : wishes_.rms->dates) chart.labels.push_back(date_text(date));
  const Canvas canvas = draw_bars(chart);
  save(path_of("residual-rms.png"), canvas);
  const std::int64_t counted = samples_->squares().empty() ? 0 : samples_->squares().front().count();
  std::string which = "whatever their coherence: no temporalCoherence.h5 is beside the series";
  if (!wishes_.rms->coherence_plane.empty()) which = "with a temporal coherence of at least 0.7";
  if (wishes_.rms->coherence) {
    which = fmt::format("with a temporal coherence of at least 0.7 in {}", wishes_.rms->coherence->path);
  }
  return {"residual-rms.png", canvas.picture().width, canvas.picture().height, chart.title,
          fmt::format("Root mean square of what the model leaves, over {} solved pixels of the maps, {}. MintPy's "
                      "residual_RMS deramps each date first; this does not, so a date with a ramp stands higher here.",
                      counted, which)};
}

FactTable Quicklook::rms_table() const {
  FactTable table{"Residual RMS of each date", {}, true};
  for (std::size_t d = 0; d < wishes_.rms->dates.size(); ++d) {
    const SquareSum& sum = samples_->squares()[d];
    const std::string value = sum.count() == 0 ? "no pixel" : fmt::format("{:.3f} mm", 1000 * sum.root_mean());
    table.facts.push_back({"rms." + wishes_.rms->dates[d], date_text(wishes_.rms->dates[d]), value});
  }
  return table;
}

void Quicklook::write(const std::string& report, const std::vector<std::string>& products) {
  Page page = page_of_report(report);
  page.figures = write_maps();
  if (wishes_.rms) page.figures.push_back(write_rms());
  page.notes = wishes_.notes;
  const std::string pixel_size = pixel_size_text(ground_of(wishes_.attributes, wishes_.rows, wishes_.cols));
  if (!pixel_size.empty()) page.notes.push_back("Size of a pixel: " + pixel_size + ".");
  FactTable settings{"Settings", {}};
  for (const auto& [name, value] : wishes_.settings) settings.facts.push_back({"setting." + name, name, value});
  for (const auto& product : products) settings.facts.push_back({"product", "product", product});
  page.tables.push_back(settings);
  if (wishes_.rms) page.tables.push_back(rms_table());
  io::replace_file(page_path(), page_html(page));
  written_ = true;
}

}  // namespace outcrop::tools
