#include "tools/outcrop/correct_topography/update.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/contents.hpp"
#include "tools/outcrop/completion.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using Reason = std::optional<std::string>;

/// MintPy's test of completeness: the file is larger than its samples.
Reason incomplete(const std::string& corrected, const TopographyInputs& in) {
  const std::int64_t samples = static_cast<std::int64_t>(in.series.dates.size()) * in.series.rows * in.series.cols;
  if (static_cast<std::int64_t>(fs::file_size(corrected)) > 4 * samples) return std::nullopt;
  return fmt::format("{} is smaller than its {} samples", corrected, samples);
}

/// What a mark would say of a file that is there. Files that one run made have the mark of that run instead of the time
/// of the file, which nobody knew yet; it holds as long as the file is of that run and not newer than the product.
std::string identity_like(const std::string& marked, const std::string& path, const std::string& product) {
  const std::string run_id = io::read_contents(path).attributes.get("outcrop.run_id").value_or("");
  const bool same_run = marked == identity_of_run(run_id) && modified_s(path) <= modified_s(product);
  return same_run ? marked : file_identity(path);
}

/// The inputs, their series and coherence as the mark of the product names them.
TopographyInputs identified_as_in(const std::string& mark, const TopographyNames& names, TopographyInputs in) {
  const auto parsed = nlohmann::json::parse(mark, nullptr, false);
  const auto marked = [&](const std::string& item) {
    const nlohmann::json::json_pointer at("/input/" + item);
    return parsed.contains(at) && parsed[at].is_string() ? parsed[at].get<std::string>() : std::string();
  };
  in.series_identity = identity_like(marked("series"), in.series.path, names.corrected);
  if (in.coherence) {
    in.coherence_identity = identity_like(marked("temporal coherence"), in.coherence->path, names.corrected);
  }
  return in;
}

Reason changed_mark(const TopographyNames& names, const std::string& mark, const TopographySettings& settings,
                    const TopographyInputs& in) {
  if (auto reason = mark_difference(mark, completion_mark(settings, identified_as_in(mark, names, in)))) return reason;
  for (const auto& name : names.all()) {
    if (!fs::is_regular_file(name)) return fmt::format("{} is not there", name);
    const auto other = attributes_of_product(name);
    if (!other) return fmt::format("{} cannot be read", name);
    if (other->get("outcrop.complete") != mark) return fmt::format("{} is of another run", name);
  }
  return std::nullopt;
}

Reason older(const std::string& corrected, const TopographyInputs& in) {
  std::vector<std::string> inputs{in.series.path};
  if (in.geometry) inputs.push_back(in.geometry->path);
  for (const auto& input : inputs) {
    if (modified_s(corrected) < modified_s(input)) return fmt::format("{} is newer than {}", input, corrected);
  }
  return std::nullopt;
}

Reason changed_attribute(const io::Attributes& corrected, const io::Attributes& wanted) {
  for (const auto& [name, value] : wanted.all()) {
    const std::string was = corrected.get(name).value_or("None");
    if (was != value) return fmt::format("{} was {} and is {}", name, was, value);
  }
  return std::nullopt;
}

}  // namespace

Reason reason_to_run(const TopographyNames& names, const TopographySettings& settings, const TopographyInputs& in) {
  if (!fs::is_regular_file(names.corrected)) return fmt::format("{} is not there", names.corrected);
  if (auto reason = incomplete(names.corrected, in)) return reason;
  const auto corrected = attributes_of_product(names.corrected);
  if (!corrected) return fmt::format("{} cannot be read", names.corrected);
  if (const auto mark = corrected->get("outcrop.complete")) return changed_mark(names, *mark, settings, in);
  if (auto reason = older(names.corrected, in)) return reason;
  return changed_attribute(*corrected, settings_attributes(settings, in));
}

}  // namespace outcrop::tools
