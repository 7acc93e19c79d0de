// Reading a file of text that the user names.
#pragma once

#include <string>

namespace outcrop::pipeline {

/// Throws Errc::usage when the file cannot be read or is empty; `wish` says where it was named: "--report".
std::string read_text_file(const std::string& wish, const std::string& path);

}  // namespace outcrop::pipeline
