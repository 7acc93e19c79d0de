// The HDF5 file that was opened last: for the one sentence that can still be said when the library crashes on it.
#pragma once

#include <string>

namespace outcrop::io {

/// Notes the name; longer ones are cut.
void note_opened(const std::string& path);

/// Safe in a signal handler. Empty when none was opened.
const char* last_opened() noexcept;

}  // namespace outcrop::io
