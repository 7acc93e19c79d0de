// Walks through the datasets of the reference and gathers what differs.
#include "tools/outcrop/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/tile.hpp"
#include "io/contents.hpp"
#include "tools/outcrop/compare/difference.hpp"
#include "tools/outcrop/exit_code.hpp"

namespace outcrop::tools {
namespace {

/// Values of one block of one file: 32 MiB as double.
constexpr std::int64_t block_values = std::int64_t{4} << 20;
constexpr const char* coherence_name = "temporalCoherence";

/// Whole rows when they fit, in multiples of the chunks.
TileGrid cut(const io::BlockReader& reader) {
  const auto fitting = std::max<std::int64_t>(block_values / std::max<std::int64_t>(reader.layers(), 1), 1);
  auto rows = std::max<std::int64_t>(fitting / reader.cols(), 1);
  if (rows > reader.chunk_rows()) rows -= rows % reader.chunk_rows();
  return TileGrid(reader.rows(), reader.cols(), rows, std::min(fitting, reader.cols()));
}

struct Comparison {
  const CompareOptions& options;
  std::ostream& out;
  Log& log;
  std::vector<std::string> failed;  ///< names of datasets

  void line(const std::string& name, const std::string& found, bool failure) {
    out << fmt::format("{}: {}{}\n", name, found, failure ? "   FAIL" : "");
    if (failure) failed.push_back(name);
  }
};

void compare_numbers(Comparison& c, const std::string& name, bool count_sides) {
  const auto reference = io::open_blocks(c.options.reference, name, c.log);
  const auto other = io::open_blocks(c.options.other, name, c.log);
  const auto grid = cut(*reference);
  Difference difference;
  std::int64_t changed = 0;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
    const auto rect = grid.rect(tile);
    const auto a = reference->read(rect);
    const auto b = other->read(rect);
    difference.add(a, b);
    if (count_sides) changed += count_changed_sides(a, b, *c.options.mask_at);
  }
  const double relative = difference.relative_rms();
  c.line(name,
         fmt::format("rms {:.3e}  max {:.3e}  max|ref| {:.3e}  rms/max|ref| {:.2e}  NaN {} / {}, pattern differs at {}",
                     difference.rms(), difference.largest, difference.largest_reference, relative,
                     difference.nan_reference, difference.nan_other, difference.pattern),
         !(relative <= c.options.tolerance) || difference.pattern > 0);
  if (count_sides) {
    c.out << fmt::format("{}: {} pixels change side of {}\n", name, changed, *c.options.mask_at);
  }
}

void compare_texts(Comparison& c, const std::string& name) {
  const auto reference = io::read_texts(c.options.reference, name);
  const auto other = io::read_texts(c.options.other, name);
  std::size_t i = 0;
  while (i < reference.size() && reference[i] == other[i]) ++i;
  const bool same = i == reference.size();
  c.line(name, same ? "equal texts" : fmt::format("text {} is '{}' / '{}'", i, reference[i], other[i]), !same);
}

void compare_attributes(Comparison& c, const std::string& owner, const io::Attributes& reference,
                        const io::Attributes& other) {
  std::set<std::string> names;
  for (const auto& [name, value] : reference.all()) names.insert(name);
  for (const auto& [name, value] : other.all()) names.insert(name);
  const auto text = [](const std::optional<std::string>& value) { return value ? "'" + *value + "'" : "absent"; };
  for (const auto& name : names) {
    const auto a = reference.get(name);
    const auto b = other.get(name);
    if (a != b) c.out << fmt::format("attribute {}{}: {} / {}\n", owner, name, text(a), text(b));
  }
}

void compare_dataset(Comparison& c, const io::DatasetContents& reference, const io::Contents& other_file) {
  const auto& name = reference.name;
  const auto* other = other_file.find(name);
  if (other == nullptr) return c.line(name, fmt::format("not in {}", other_file.path), true);
  if (reference.shape != other->shape) {
    return c.line(name, fmt::format("shape {} / {}", fmt::join(reference.shape, " x "), fmt::join(other->shape, " x ")),
                  true);
  }
  const bool empty = std::find(reference.shape.begin(), reference.shape.end(), 0) != reference.shape.end();
  if (reference.kind != other->kind || reference.kind == io::ValueKind::other) {
    c.line(name, fmt::format("{} / {} cannot be compared", reference.storage, other->storage), true);
  } else if (empty) {
    c.line(name, "empty in both", false);
  } else if (reference.kind == io::ValueKind::text) {
    compare_texts(c, name);
  } else {
    compare_numbers(c, name, c.options.mask_at && name == coherence_name);
  }
  compare_attributes(c, name + "/", reference.attributes, other->attributes);
}

}  // namespace

int run_compare(const CompareOptions& options, std::ostream& out, Log& log) {
  const auto reference = io::read_contents(options.reference);
  const auto other = io::read_contents(options.other);
  if (options.mask_at && reference.find(coherence_name) == nullptr) {
    fail(Errc::usage, fmt::format("--mask-at needs dataset {}, which {} has not; name a file of temporal coherence",
                                  coherence_name, options.reference));
  }
  Comparison comparison{options, out, log, {}};
  for (const auto& dataset : reference.datasets) compare_dataset(comparison, dataset, other);
  for (const auto& dataset : other.datasets) {
    if (reference.find(dataset.name) == nullptr) comparison.line(dataset.name, "only in " + other.path, false);
  }
  compare_attributes(comparison, "", reference.attributes, other.attributes);
  const bool same = comparison.failed.empty();
  out << (same ? fmt::format("equal within {}\n", options.tolerance)
               : fmt::format("different: {}\n", fmt::join(comparison.failed, ", ")));
  return same ? exit_code::done : exit_code::failed;
}

}  // namespace outcrop::tools
