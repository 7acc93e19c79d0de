// Marks of finished products, compared item by item.
#include "tools/outcrop/completion.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/contents.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::string> difference(const Json& was, const Json& is, const std::string& name) {
  if (was == is) return std::nullopt;
  if (!was.is_object() || !is.is_object()) return fmt::format("{} was {} and is {}", name, was.dump(), is.dump());
  for (const auto& [key, value] : is.items()) {
    if (!was.contains(key)) return fmt::format("{} is new", key);
    if (auto reason = difference(was[key], value, key)) return reason;
  }
  return fmt::format("{} has fewer items than before", name);
}

}  // namespace

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

std::string file_identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "absent";
  return fmt::format("{}.{:09} {}", info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size);
}

double modified_s(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return 0;
  return static_cast<double>(info.st_mtim.tv_sec) + 1e-9 * static_cast<double>(info.st_mtim.tv_nsec);
}

std::optional<io::Attributes> attributes_of_product(const std::string& path) {
  try {
    return io::read_contents(path).attributes;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> mark_difference(const std::string& was, const std::string& is) {
  return difference(Json::parse(was, nullptr, false), Json::parse(is), "the run");
}

}  // namespace outcrop::tools
