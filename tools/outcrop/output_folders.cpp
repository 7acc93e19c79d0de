#include "tools/outcrop/output_folders.hpp"

#include <fmt/format.h>

#include <system_error>

#include "core/error.hpp"

namespace outcrop::tools {

namespace fs = std::filesystem;

OutputFolders::OutputFolders(const std::vector<std::string>& files) {
  try {
    for (const auto& file : files) make_for(file);
  } catch (...) {
    remove_empty();
    throw;
  }
}

OutputFolders::~OutputFolders() { remove_empty(); }

void OutputFolders::make_for(const std::string& file) {
  fs::path part;
  for (const auto& name : fs::path(file).parent_path()) {
    part /= name;
    std::error_code error;
    if (fs::create_directory(part, error)) made_.push_back(part);
    if (!error) continue;
    fail(Errc::usage,
         fmt::format("the folder {} for the product {} cannot be made: {}; choose another place (--out-dir, -o)",
                     part.string(), file, error.message()));
  }
}

void OutputFolders::remove_empty() noexcept {
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, ignored);
  made_.clear();
}

}  // namespace outcrop::tools
