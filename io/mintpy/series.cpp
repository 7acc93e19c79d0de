// Reads the headers of a time series or geometry file and refuses what contradicts itself, before any pixel is read.
#include "io/mintpy/series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "core/error.hpp"
#include "io/h5/dataset.hpp"
#include "io/mintpy/date_text.hpp"

namespace outcrop::io::mintpy {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& found) {
  fail(Errc::input, fmt::format("reading {}: {}", path, found));
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

h5::Dataset require_dataset(const h5::File& file, const std::string& name, const char* meaning) {
  if (!file.has_dataset(name)) {
    refuse(file.path(), fmt::format("it has no dataset {}, {}; its datasets are {}", name, meaning,
                                    fmt::join(file.dataset_names(), ", ")));
  }
  return h5::Dataset::open(file, name);
}

/// The dates of `layers` layers, each once.
std::vector<std::string> read_dates(const h5::File& file, std::int64_t layers, const char* of_what) {
  const auto dataset = require_dataset(file, "date", "the dates of its layers");
  const auto& shape = dataset.info().shape;
  if (shape.size() != 1 || shape[0] != layers) {
    refuse(file.path(), fmt::format("dataset date is {}, but {} has {} layers; make the file again", shape_text(shape),
                                    of_what, layers));
  }
  auto dates = dataset.read_strings();
  check_dates(file.path(), dates, 1);
  std::set<std::string> seen;
  for (const auto& date : dates) {
    if (!seen.insert(date).second)
      refuse(file.path(), fmt::format("the date {} is there twice; make the file again", date));
  }
  return dates;
}

void check_size_attribute(const Series& series, const char* name, std::int64_t found) {
  const auto stated = series.attributes.integer(name);
  if (!stated || *stated == found) return;
  refuse(series.path,
         fmt::format("attribute {} is {}, but dataset timeseries has {}; correct the attribute or make the file "
                     "again",
                     name, *stated, found));
}

void read_other(const h5::File& file, Series& series) {
  for (const auto& name : file.dataset_names()) {
    if (name == "timeseries") continue;
    const auto shape = h5::Dataset::open(file, name).info().shape;
    const auto rank = shape.size();
    const bool is_image = rank >= 2 && shape[rank - 2] == series.rows && shape[rank - 1] == series.cols;
    series.other.push_back({name, is_image});
  }
}

Series read_open_series(const h5::File& file) {
  Series series;
  series.path = file.path();
  series.attributes = h5::read_attributes(file);
  const auto image = require_dataset(file, "timeseries", "a time series of [dates, rows, columns]").info();
  if (image.shape.size() != 3 || image.shape[0] < 1 || image.shape[1] < 1 || image.shape[2] < 1) {
    refuse(series.path, fmt::format("dataset timeseries is {}, not [dates, rows, columns]; name another file",
                                    shape_text(image.shape)));
  }
  series.rows = image.shape[1];
  series.cols = image.shape[2];
  check_size_attribute(series, "LENGTH", series.rows);
  check_size_attribute(series, "WIDTH", series.cols);
  series.dates = read_dates(file, image.shape[0], "timeseries");
  read_other(file, series);
  if (!file.has_dataset("bperp")) return series;
  const auto bperp = h5::Dataset::open(file, "bperp");
  if (bperp.info().shape != std::vector<std::int64_t>{image.shape[0]}) {
    refuse(series.path, fmt::format("dataset bperp is {}, but date has {} dates; make the file again",
                                    shape_text(bperp.info().shape), image.shape[0]));
  }
  series.bperp_m = bperp.read_numbers();
  return series;
}

Geometry read_open_geometry(const h5::File& file) {
  Geometry geometry;
  geometry.path = file.path();
  geometry.attributes = h5::read_attributes(file);
  geometry.datasets = file.dataset_names();
  for (const auto& name : geometry.datasets) geometry.shapes.push_back(h5::Dataset::open(file, name).info().shape);
  const auto shape = geometry.shape_of("bperp");
  if (!file.has_dataset("bperp")) return geometry;
  if (shape.size() != 3) {
    refuse(geometry.path,
           fmt::format("dataset bperp is {}, not [dates, rows, columns]; leave it out, then the baselines of "
                       "the series are used",
                       shape_text(shape)));
  }
  geometry.bperp_dates = read_dates(file, shape[0], "bperp");
  return geometry;
}

/// An error of the libraries below names no file.
template <class Function>
auto within_file(const std::string& path, const Function& function) {
  try {
    return function();
  } catch (Error& error) {
    if (std::string(error.what()).find(path) != std::string::npos) throw;
    throw std::move(error).within("reading " + path);
  }
}

}  // namespace

std::vector<std::int64_t> Geometry::shape_of(const std::string& dataset) const {
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    if (datasets[i] == dataset) return shapes[i];
  }
  return {};
}

Series read_series(const std::string& path) {
  const auto file = h5::File::open(path);
  return within_file(path, [&] { return read_open_series(file); });
}

Geometry read_geometry(const std::string& path) {
  const auto file = h5::File::open(path);
  return within_file(path, [&] { return read_open_geometry(file); });
}

}  // namespace outcrop::io::mintpy
