// OutputFolders: the folders that products are to lie in, made when a run begins and gone again when nothing came of
// it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace outcrop::tools {

class OutputFolders {
 public:
  /// Makes the folders of these files, and those above them, that are missing, as MintPy does.
  /// Throws: Errc::usage naming the file, the folder and why it cannot be made.
  explicit OutputFolders(const std::vector<std::string>& files);

  /// Removes those that it made and that are empty.
  ~OutputFolders();
  OutputFolders(const OutputFolders&) = delete;
  OutputFolders& operator=(const OutputFolders&) = delete;

 private:
  void make_for(const std::string& file);
  void remove_empty() noexcept;

  std::vector<std::filesystem::path> made_;  ///< inner ones after those around them
};

}  // namespace outcrop::tools
