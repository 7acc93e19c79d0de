// What marks a product as finished, and how two marks differ: the ground on which --update decides.
#pragma once

#include <optional>
#include <string>

#include "io/h5/attributes.hpp"

namespace outcrop::tools {

/// 16 hexadecimal digits, the same on every machine.
std::string hash_of(const std::string& text);

/// What stands for a file's content: when it was last changed, to the nanosecond, and its size; "absent".
std::string file_identity(const std::string& path);

/// Seconds since 1970 of its last change; 0 when it is not there.
double modified_s(const std::string& path);

/// Root attributes; nullopt when the file cannot be read, which is a reason to make it again.
std::optional<io::Attributes> attributes_of_product(const std::string& path);

/// The first item in which two marks (JSON texts) differ, in words; nullopt: they are the same.
std::optional<std::string> mark_difference(const std::string& was, const std::string& is);

}  // namespace outcrop::tools
