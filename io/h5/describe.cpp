// Types and storage of datasets in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/h5/dataset.hpp"

namespace outcrop::io::h5 {
namespace {

std::string storage_text(const DatasetInfo& info) {
  switch (info.layout) {
    case Layout::compact:
      return "compact";
    case Layout::contiguous:
      return info.external ? "external files" : "contiguous";
    case Layout::chunked:
      return fmt::format("chunks {}", fmt::join(info.chunk, " x "));
    case Layout::is_virtual:
      return "virtual";
  }
  return "";
}

}  // namespace

std::string describe(const StoredType& type) {
  std::string text;
  switch (type.kind) {
    case TypeClass::floating:
      text = fmt::format("float{}", 8 * type.size_bytes);
      break;
    case TypeClass::integer:
      text = fmt::format("{}int{}", type.is_signed ? "" : "u", 8 * type.size_bytes);
      break;
    case TypeClass::boolean:
      return "bool";
    case TypeClass::string:
      return type.size_bytes == 0 ? "text of any length" : fmt::format("text of {} bytes", type.size_bytes);
    case TypeClass::other:
      return "a type that is neither number nor text";
  }
  return type.big_endian ? text + " (big-endian)" : text;
}

std::string describe(const DatasetInfo& info) {
  std::string text = storage_text(info);
  std::vector<std::string> names;
  for (const auto& filter : info.filters) names.push_back(filter.name);
  // People name the compressor first, whatever the order of the pipeline.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& n) { return n != "shuffle" && n != "fletcher32"; });
  if (!names.empty()) text += fmt::format(", {}", fmt::join(names, " + "));
  return text + ", " + describe(info.type);
}

}  // namespace outcrop::io::h5
