// A small file written at once: it appears under its name when it is complete, in place of an older one.
#pragma once

#include <span>
#include <string>

namespace outcrop::io {

/// Throws Errc::io naming the file; what was at the name stays then.
void replace_file(const std::string& path, std::span<const std::byte> bytes);
void replace_file(const std::string& path, const std::string& text);

}  // namespace outcrop::io
