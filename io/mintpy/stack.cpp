// Reads the headers of an interferogram stack and refuses what contradicts itself, before any pixel is read.
#include "io/mintpy/stack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "io/h5/dataset.hpp"
#include "io/mintpy/date_text.hpp"

namespace outcrop::io::mintpy {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& found) {
  fail(Errc::input, fmt::format("reading the stack {}: {}", path, found));
}

bool begins_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Datasets that a step may use as observation, weight or mask: their layers must be the pairs.
bool holds_pairs(const std::string& name) {
  return begins_with(name, "unwrapPhase") || begins_with(name, "ion") || name.find("Offset") != std::string::npos ||
         name == "coherence" || name == "connectComponent" || name == "offsetSNR";
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::vector<h5::DatasetInfo> read_headers(const h5::File& file) {
  std::vector<h5::DatasetInfo> headers;
  for (const auto& name : file.dataset_names()) headers.push_back(h5::Dataset::open(file, name).info());
  return headers;
}

const h5::DatasetInfo* find(const std::vector<h5::DatasetInfo>& headers, const std::string& name) {
  for (const auto& header : headers) {
    if (header.name == name) return &header;
  }
  return nullptr;
}

/// The dataset that gives the size of the image.
const h5::DatasetInfo& main_observation(const std::string& path, const std::vector<h5::DatasetInfo>& headers) {
  for (const char* name : {"unwrapPhase", "rangeOffset", "azimuthOffset"}) {
    const auto* header = find(headers, name);
    if (header != nullptr && header->shape.size() == 3) return *header;
  }
  for (const auto& header : headers) {
    if (header.shape.size() == 3 && (begins_with(header.name, "unwrapPhase") || begins_with(header.name, "ion"))) {
      return header;
    }
  }
  refuse(path, "it has no observation of [pairs, rows, columns] (unwrapPhase, rangeOffset or azimuthOffset)");
}

void check_size_attribute(const Stack& stack, const char* name, std::int64_t found, const h5::DatasetInfo& image) {
  const auto stated = stack.attributes.integer(name);
  if (stated && *stated != found) {
    refuse(stack.path,
           fmt::format("attribute {} is {}, but dataset {} is {}; correct the attribute or make the file again", name,
                       *stated, image.name, shape_text(image.shape)));
  }
}

void read_dates(const h5::File& file, const std::vector<h5::DatasetInfo>& headers, Stack& stack) {
  const auto* header = find(headers, "date");
  if (header == nullptr) refuse(stack.path, "it has no dataset date; make the file again");
  if (header->shape.size() != 2 || header->shape[1] != 2 || header->shape[0] < 1) {
    refuse(stack.path,
           fmt::format("dataset date is {}, not [pairs, 2]; make the file again", shape_text(header->shape)));
  }
  const auto texts = h5::Dataset::open(file, "date").read_strings();
  check_dates(stack.path, texts, 2);
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) stack.dates.push_back({texts[i], texts[i + 1]});
}

/// Numbers of a dataset with one for each pair; empty when there is no such dataset.
std::vector<double> read_per_pair(const h5::File& file, const std::vector<h5::DatasetInfo>& headers, const char* name,
                                  const Stack& stack) {
  const auto* header = find(headers, name);
  if (header == nullptr) return {};
  if (header->shape.size() != 1 || header->shape[0] != static_cast<std::int64_t>(stack.dates.size())) {
    refuse(stack.path, fmt::format("dataset {} is {}, but date has {} pairs; make the file again", name,
                                   shape_text(header->shape), stack.dates.size()));
  }
  return h5::Dataset::open(file, name).read_numbers();
}

ImageDataset read_image(const h5::File& file, const h5::DatasetInfo& header) {
  ImageDataset image;
  image.name = header.name;
  image.layers = header.shape.size() == 3 ? header.shape[0] : 0;
  image.integers = header.type.kind == h5::TypeClass::integer || header.type.kind == h5::TypeClass::boolean;
  image.numeric = image.integers || header.type.kind == h5::TypeClass::floating;
  image.modification_time = h5::read_attributes(file, header.name).get("MODIFICATION_TIME");
  return image;
}

void read_images(const h5::File& file, const std::vector<h5::DatasetInfo>& headers, Stack& stack) {
  const auto num_pairs = static_cast<std::int64_t>(stack.dates.size());
  for (const auto& header : headers) {
    const auto rank = header.shape.size();
    if (rank < 2 || rank > 3 || header.shape[rank - 2] != stack.rows || header.shape[rank - 1] != stack.cols) continue;
    if (rank == 3 && header.shape[0] != num_pairs) {
      if (!holds_pairs(header.name)) continue;
      refuse(stack.path, fmt::format("dataset {} is {}, but date has {} pairs; make the file again", header.name,
                                     shape_text(header.shape), num_pairs));
    }
    stack.images.push_back(read_image(file, header));
  }
}

Stack read_open_stack(const h5::File& file) {
  Stack stack;
  stack.path = file.path();
  stack.attributes = h5::read_attributes(file);
  const auto type = file_type(file, stack.attributes);
  if (type != "ifgramStack") {
    refuse(stack.path, fmt::format("it is {}, not an interferogram stack; name the ifgramStack.h5 of the scene",
                                   type.empty() ? "of no known kind" : "a file of the kind " + type));
  }
  const auto headers = read_headers(file);
  const auto& image = main_observation(stack.path, headers);
  stack.rows = image.shape[1];
  stack.cols = image.shape[2];
  if (stack.rows < 1 || stack.cols < 1) {
    refuse(stack.path, fmt::format("dataset {} is {}: there is no pixel", image.name, shape_text(image.shape)));
  }
  check_size_attribute(stack, "LENGTH", stack.rows, image);
  check_size_attribute(stack, "WIDTH", stack.cols, image);
  read_dates(file, headers, stack);
  const auto flags = read_per_pair(file, headers, "dropIfgram", stack);
  stack.keep.assign(stack.dates.size(), true);
  std::transform(flags.begin(), flags.end(), stack.keep.begin(), [](double flag) { return flag != 0; });
  stack.bperp_m = read_per_pair(file, headers, "bperp", stack);
  read_images(file, headers, stack);
  return stack;
}

}  // namespace

const ImageDataset* Stack::find(const std::string& name) const {
  for (const auto& image : images) {
    if (image.name == name) return &image;
  }
  return nullptr;
}

std::string file_type(const h5::File& file, const Attributes& attributes) {
  constexpr std::array<std::array<const char*, 2>, 8> kinds = {{{"unwrapPhase", "ifgramStack"},
                                                                {"rangeOffset", "ifgramStack"},
                                                                {"azimuthOffset", "ifgramStack"},
                                                                {"height", "geometry"},
                                                                {"latitude", "geometry"},
                                                                {"azimuthCoord", "geometry"},
                                                                {"timeseries", "timeseries"},
                                                                {"velocity", "velocity"}}};
  for (const auto& [dataset, kind] : kinds) {
    if (file.has_dataset(dataset) && h5::Dataset::open(file, dataset).info().shape.size() >= 2) return kind;
  }
  return attributes.get("FILE_TYPE").value_or("");
}

Stack read_stack(const std::string& path) {
  const auto file = h5::File::open(path);
  try {
    return read_open_stack(file);
  } catch (Error& error) {
    if (std::string(error.what()).find(path) != std::string::npos) throw;
    throw std::move(error).within(fmt::format("reading the stack {}", path));
  }
}

MapFile read_map_header(const std::string& path, const std::vector<std::string>& candidates) {
  const auto file = h5::File::open(path);
  const auto names = file.dataset_names();
  for (const auto& name : candidates.empty() ? names : candidates) {
    if (!file.has_dataset(name)) continue;
    const auto info = h5::Dataset::open(file, name).info();
    if (info.shape.size() == 2) return {path, name, info.shape[0], info.shape[1]};
    if (candidates.empty()) continue;
    fail(Errc::input, fmt::format("reading {}: dataset {} is {}, not a map of [rows, columns]; name another file", path,
                                  name, shape_text(info.shape)));
  }
  fail(Errc::input, fmt::format("reading {}: it has no {}; its datasets are {}", path,
                                candidates.empty() ? std::string("map of [rows, columns]")
                                                   : fmt::format("dataset {}", fmt::join(candidates, " or ")),
                                fmt::join(names, ", ")));
}

}  // namespace outcrop::io::mintpy
