// Sizes and times as people write and read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace outcrop {

/// "2G", "512M", "1.5GB", "64k", "123B" in powers of 1024; a bare number counts in `bare_unit` bytes.
/// nullopt for anything else, for zero and below, and for more than 2^62.
std::optional<std::int64_t> parse_bytes(std::string_view text, double bare_unit);

/// Whole numbers as "226000", "226k", "3.4M", "1G" in powers of 1000, or "1e9"; nullopt for anything else, and for less
/// than 1 or more than 2^53.
std::optional<std::int64_t> parse_count(std::string_view text);

std::string format_bytes(double bytes);   ///< "1.50 GB" (powers of 1000, as storage vendors count)
std::string format_time(double seconds);  ///< "0.42 s", "3 min 05 s", "2 h 10 min"

}  // namespace outcrop
