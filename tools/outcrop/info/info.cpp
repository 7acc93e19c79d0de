// Puts the report of a file together.
#include "tools/outcrop/info/info.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "io/contents.hpp"
#include "tools/outcrop/info/step_use.hpp"

namespace outcrop::tools {
namespace {

/// Attributes that decide what the steps do.
constexpr const char* attributes_of_interest[] = {"FILE_TYPE",
                                                  "UNIT",
                                                  "LENGTH",
                                                  "WIDTH",
                                                  "REF_Y",
                                                  "REF_X",
                                                  "REF_DATE",
                                                  "WAVELENGTH",
                                                  "ALOOKS",
                                                  "RLOOKS",
                                                  "NCORRLOOKS",
                                                  "PROCESSOR",
                                                  "PLATFORM",
                                                  "ORBIT_DIRECTION",
                                                  "STARTING_RANGE",
                                                  "RANGE_PIXEL_SIZE",
                                                  "EARTH_RADIUS",
                                                  "HEIGHT",
                                                  "CENTER_INCIDENCE_ANGLE",
                                                  "CENTER_LINE_UTC",
                                                  "Y_FIRST",
                                                  "NO_DATA_VALUE",
                                                  "START_DATE",
                                                  "END_DATE",
                                                  "outcrop.run_id",
                                                  "outcrop.deviations"};

InfoDataset describe_dataset(const std::string& path, const io::DatasetContents& dataset) {
  InfoDataset described{dataset.name, dataset.shape, dataset.storage, dataset.plain_bytes, std::nullopt, ""};
  try {
    described.stored_bytes = io::stored_bytes(path, dataset.name);
  } catch (const Error& error) {
    described.problem = error.what();
  }
  return described;
}

/// MintPy calls the covariance of a series [D, D, rows, columns] a time series too; no step reads it.
bool is_covariance(const io::Contents& contents) {
  const auto* series = contents.find("timeseries");
  return series != nullptr && series->shape.size() == 4;
}

}  // namespace

InfoReport make_info(const std::string& path, const std::optional<io::mintpy::Template>& given, Log& log) {
  const io::Contents contents = io::read_contents(path);
  InfoReport report;
  report.file.title = "file";
  report.file.add_text("path", path);
  report.file.add_text("kind", contents.kind.empty() ? "unknown" : contents.kind);
  report.file.add_number("size bytes", static_cast<std::int64_t>(std::filesystem::file_size(path)));
  report.attributes.title = "attributes";
  for (const char* name : attributes_of_interest) {
    if (auto value = contents.attributes.get(name)) report.attributes.add_text(name, *std::move(value));
  }
  for (const auto& dataset : contents.datasets) report.datasets.push_back(describe_dataset(path, dataset));
  if (contents.kind == "ifgramStack") report.more = describe_stack(path, given, log);
  if (contents.kind == "timeseries" && !is_covariance(contents)) report.more.push_back(describe_series(contents));
  if (contents.kind == "geometry") report.more.push_back(describe_geometry(contents));
  return report;
}

}  // namespace outcrop::tools
