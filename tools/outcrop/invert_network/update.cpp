#include "tools/outcrop/invert_network/update.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/contents.hpp"
#include "io/python_text.hpp"
#include "tools/outcrop/completion.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using Reason = std::optional<std::string>;

/// MintPy's test of completeness: the series file is larger than its samples.
Reason incomplete(const std::string& series, const InvertInputs& in) {
  const std::int64_t samples = in.network.num_dates() * in.stack.rows * in.stack.cols;
  if (static_cast<std::int64_t>(fs::file_size(series)) > 4 * samples) return std::nullopt;
  return fmt::format("{} is smaller than its {} samples", series, samples);
}

Reason older(const ProductNames& names, const InvertSettings& settings, const InvertInputs& in) {
  double observed = modified_s(in.stack.path);
  double marked = 0;
  if (const auto& text = in.stack.find(settings.observation.dataset)->modification_time;
      text && io::parse_number(*text, marked)) {
    observed = marked;
  }
  for (const auto& name : names.all()) {
    if (modified_s(name) < observed) return fmt::format("{} is newer than {}", in.stack.path, name);
  }
  return std::nullopt;
}

Reason changed_attribute(const io::Attributes& series, const io::Attributes& wanted) {
  for (const auto& [name, value] : wanted.all()) {
    const std::string was = series.get(name).value_or("None");
    if (was != value) return fmt::format("{} was {} and is {}", name, was, value);
  }
  return std::nullopt;
}

Reason changed_reference(const io::Attributes& series, const InvertInputs& in) {
  for (const char* name : {"REF_Y", "REF_X"}) {
    const auto was = series.get(name);
    const auto is = in.stack.attributes.get(name);
    if (was && was != is) return fmt::format("{} was {} and is {}", name, *was, is.value_or("absent"));
  }
  return std::nullopt;
}

Reason changed_mark(const ProductNames& names, const std::string& mark, const InvertSettings& settings,
                    const InvertInputs& in) {
  if (auto reason = mark_difference(mark, completion_mark(settings, in))) return reason;
  for (const auto& name : names.all()) {
    const auto other = attributes_of_product(name);
    if (!other) return fmt::format("{} cannot be read", name);
    if (other->get("outcrop.complete") != mark) return fmt::format("{} is of another run", name);
  }
  return std::nullopt;
}

}  // namespace

Reason reason_to_run(const ProductNames& names, const InvertSettings& settings, const InvertInputs& in) {
  for (const auto& name : names.all()) {
    if (!fs::is_regular_file(name)) return fmt::format("{} is not there", name);
  }
  if (auto reason = incomplete(names.series, in)) return reason;
  const auto series = attributes_of_product(names.series);
  if (!series) return fmt::format("{} cannot be read", names.series);
  if (const auto mark = series->get("outcrop.complete")) return changed_mark(names, *mark, settings, in);
  if (auto reason = older(names, settings, in)) return reason;
  if (auto reason = changed_attribute(*series, settings_attributes(settings, in))) return reason;
  return changed_reference(*series, in);
}

}  // namespace outcrop::tools
