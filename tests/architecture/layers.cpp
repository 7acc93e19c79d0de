// The include rules as tables. docs/architecture.md tells the same in words.
#include "tests/architecture/layers.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace outcrop::architecture {
namespace {

const std::map<std::string, std::set<std::string>>& allowed_rooms() {
  static const std::map<std::string, std::set<std::string>> table{
      {"core", {"core"}},
      {"model", {"core", "model"}},
      {"io", {"core", "io"}},
      {"cpu", {"core", "model", "cpu"}},
      {"gpu", {"core", "model", "gpu"}},
      {"pipeline", {"core", "model", "io", "pipeline"}},
      {"tools", {"core", "model", "io", "cpu", "gpu", "pipeline", "tools"}},
  };
  return table;
}

/// Headers whose name matches `header` may appear only in files whose path matches one of `files`.
struct LibraryRule {
  const char* header;
  const char* files;
};

/// The first rule that matches a header decides.
constexpr LibraryRule library_rules[] = {
    {R"(hdf5.*\.h|H5.*\.h)", R"(io/h5/.*)"},
    {R"((oneapi/)?tbb/flow_graph\.h)", R"(pipeline/graph[^/]*\.cpp)"},
    {R"((oneapi/)?tbb(/.*|\.h))", R"(pipeline/.*)"},
    {R"(Eigen/.*)", R"(cpu/.*)"},
    {R"((cuda|cublas|cusolver|curand|nvtx|nvToolsExt).*)", R"(gpu/cuda/.*)"},
    {R"(spdlog/.*)", R"(core/log\.cpp)"},
    {R"(fmt/.*)", R"((core|model|io)/.*\.cpp|(cpu|gpu|pipeline|tools)/.*)"},
    {R"(CLI/.*)", R"(tools/.*)"},
    {R"(toml\+\+/.*)", R"(pipeline/.*)"},
    {R"(nlohmann/.*)", R"((pipeline|tools)/.*)"},
    {R"(libdeflate\.h|liblzf/lzf\.h)", R"(io/codec/.*)"},
    {R"(png\.h)", R"(io/png\.cpp)"},
    {R"(thread|mutex|shared_mutex|condition_variable|future|fstream|filesystem)",
     R"((core|io|cpu|gpu|pipeline|tools)/.*)"},
    {R"([a-z0-9_]+)", R"(.*)"},  // the standard library
    {R"(sys/[a-z]+\.h|linux/[a-z]+\.h)", R"((core|io|cpu|gpu|pipeline|tools)/.*)"},
    {R"((fcntl|unistd|dlfcn|sched|signal|spawn|pthread|dirent|limits|malloc|pwd|immintrin|cxxabi)\.h)",
     R"((core|io|cpu|gpu|pipeline|tools)/.*)"},
};

/// Empty when the file may include the library header.
std::string library_problem(const std::string& path, const std::string& header) {
  for (const LibraryRule& rule : library_rules) {
    if (!std::regex_match(header, std::regex(rule.header))) continue;
    if (std::regex_match(path, std::regex(rule.files))) return {};
    return "<" + header + "> belongs to files that match " + rule.files;
  }
  return "<" + header + "> is of a library that the table of include rules does not know";
}

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

/// Empty when the file may include this header of ours.
std::string room_problem(const std::string& path, const std::string& header) {
  const std::string from = first_folder(path);
  const std::string to = first_folder(header);
  const auto allowed = allowed_rooms().find(from);
  if (allowed == allowed_rooms().end()) return "'" + from + "' is not a room";
  if (allowed_rooms().count(to) == 0) return "\"" + header + "\" is not written from the repository root";
  if (allowed->second.count(to) == 0) return from + " may not include " + to + " (\"" + header + "\")";
  if (from != "io" && header.rfind("io/codec/", 0) == 0) return "\"" + header + "\" is internal to io";
  return {};
}

const std::regex& include_line() {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  return pattern;
}

}  // namespace

const std::vector<std::string>& rooms() {
  static const std::vector<std::string> names{"core", "model", "io", "cpu", "gpu", "pipeline", "tools"};
  return names;
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, include_line())) names.push_back(match[2]);
  }
  return names;
}

std::vector<std::string> check_includes(const std::string& path, const std::string& text) {
  std::vector<std::string> problems;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (!std::regex_match(line, match, include_line())) continue;
    const std::string problem = match[1] == "<" ? library_problem(path, match[2]) : room_problem(path, match[2]);
    if (problem.empty()) continue;
    problems.push_back(path);
    problems.back().append(":").append(std::to_string(number)).append(": ").append(problem);
  }
  return problems;
}

}  // namespace outcrop::architecture
