// What a run writes: checked before the run against what it reads and against each other.
#pragma once

#include <string>

#include "tools/outcrop/common_options.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {

/// Throws Errc::usage naming file and flag when: a product is a folder; two products are one file, by whatever names;
/// --report or --trace names an input, a product or a page of maps, no file, or a place that cannot be written to.
void check_written_files(const CommonOptions& options, const StepSetup& setup);

/// Whether both name one file, by whatever names, there or not.
bool same_file(const std::string& a, const std::string& b);

/// Writes text to a file that appears when it is complete, in place of an older one; or to a pipe or device.
/// Throws Errc::io naming the file.
void write_result(const std::string& path, const std::string& text);

}  // namespace outcrop::tools
