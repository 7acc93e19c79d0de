// Files are compared by where they lie, not by how they are spelled.
#include "tools/outcrop/written_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/replace_file.hpp"
#include "pipeline/report.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;

struct NamedFile {
  std::string what;  ///< "the product demErr.h5"
  std::string path;
};

std::vector<NamedFile> products_of(const StepSetup& setup) {
  std::vector<NamedFile> files;
  for (const auto& path : setup.products) {
    std::error_code none;
    if (fs::is_directory(path, none)) {
      fail(Errc::usage, fmt::format("the product {} is to be written there, but it is a folder; name a file", path));
    }
    for (const auto& other : files) {
      if (!same_file(other.path, path)) continue;
      fail(Errc::usage,
           fmt::format("the products {} and {} are one file; give them different names", other.path, path));
    }
    files.push_back({"the product " + path, path});
  }
  return files;
}

std::vector<NamedFile> inputs_of(const CommonOptions& options, const StepSetup& setup) {
  std::vector<NamedFile> files;
  for (const auto& request : setup.requests) files.push_back({"the input " + request.path, request.path});
  if (options.template_path) files.push_back({"the template", *options.template_path});
  if (options.config_path) files.push_back({"the configuration", *options.config_path});
  return files;
}

/// Not a pipe or a device like /dev/stdout, which is written to but not replaced.
bool is_file_or_nothing(const std::string& path) {
  std::error_code none;
  return !fs::exists(path, none) || fs::is_regular_file(path, none);
}

/// A report or a trace can be written there.
void check_place(const NamedFile& file) {
  std::error_code none;
  const fs::path folder = fs::path(file.path).parent_path().empty() ? "." : fs::path(file.path).parent_path();
  if (file.path.empty() || fs::is_directory(file.path, none)) {
    fail(Errc::usage, fmt::format("{} '{}': this is no file; name one", file.what, file.path));
  }
  if (!fs::is_directory(folder, none)) {
    fail(Errc::usage, fmt::format("{} {}: the folder {} is not there; make it or name another", file.what, file.path,
                                  folder.string()));
  }
  const std::string written = is_file_or_nothing(file.path) ? folder.string() : file.path;
  if (::access(written.c_str(), W_OK) != 0) {
    fail(Errc::usage, fmt::format("{} {}: it cannot be written to; name another file", file.what, file.path));
  }
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  if (fs::equivalent(a, b, none)) return true;
  return fs::weakly_canonical(fs::absolute(a), none) == fs::weakly_canonical(fs::absolute(b), none);
}

void check_written_files(const CommonOptions& options, const StepSetup& setup) {
  std::vector<NamedFile> taken = products_of(setup);
  for (auto& input : inputs_of(options, setup)) taken.push_back(std::move(input));
  if (setup.quicklook) taken.push_back({"the page of --quicklook", setup.quicklook->page_path()});
  std::vector<NamedFile> asked;
  if (options.report_path) asked.push_back({"--report", *options.report_path});
  if (options.trace_path) asked.push_back({"--trace", *options.trace_path});
  for (const auto& file : asked) {
    check_place(file);
    for (const auto& other : taken) {
      if (!same_file(file.path, other.path)) continue;
      fail(Errc::usage, fmt::format("{} {} would overwrite {}; name another file", file.what, file.path, other.what));
    }
    taken.push_back({file.what, file.path});
  }
}

void write_result(const std::string& path, const std::string& text) {
  if (!is_file_or_nothing(path)) return pipeline::write_text(path, text);
  try {
    io::replace_file(path, text);
  } catch (Error& error) {
    throw std::move(error).within("writing " + path);
  }
}

}  // namespace outcrop::tools
