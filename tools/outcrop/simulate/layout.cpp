// Reads --chunks and --compression.
#include "tools/outcrop/simulate/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

io::Encoding encoding_of(const std::string& compression) {
  io::Encoding encoding;
  std::string word = compression;
  constexpr std::string_view suffix = "+shuffle";
  if (word.ends_with(suffix)) {
    encoding.shuffle = true;
    word.erase(word.size() - suffix.size());
  }
  if (word == "lzf") encoding.compressor = io::Compressor::lzf;
  if (word == "gzip") encoding.compressor = io::Compressor::gzip;
  const bool is_none = compression.empty() || compression == "none";
  if (encoding.compressor == io::Compressor::none && !is_none) {
    fail(Errc::usage,
         fmt::format("simulating a scene: --compression is '{}', but it must be none, lzf or gzip, or one of the last "
                     "two with +shuffle",
                     compression));
  }
  return encoding;
}

[[noreturn]] void refuse_chunks(const std::string& chunks) {
  fail(Errc::usage, fmt::format("simulating a scene: --chunks is '{}', but it must be none, auto or Z,Y,X: pairs, rows "
                                "and columns of a chunk, each 1 or more",
                                chunks));
}

std::array<std::int64_t, 3> parse_chunk(const std::string& chunks) {
  std::array<std::int64_t, 3> sizes = {};
  const char* at = chunks.data();
  const char* const end = at + chunks.size();
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto [after, error] = std::from_chars(at, end, sizes[d]);
    const bool ends_well = d + 1 < sizes.size() ? after != end && *after == ',' : after == end;
    if (error != std::errc() || sizes[d] < 1 || !ends_well) refuse_chunks(chunks);
    at = after == end ? end : after + 1;
  }
  return sizes;
}

}  // namespace

Layout make_layout(const std::string& chunks, const std::string& compression, bool fletcher32, const StackSize& stack) {
  Layout layout;
  layout.encoding = encoding_of(compression);
  layout.encoding.fletcher32 = fletcher32;
  const bool is_plain = layout.encoding.is_plain();
  if (chunks == "none" && !is_plain) {
    fail(Errc::usage, "simulating a scene: --compression and --fletcher32 need chunks; leave --chunks none out");
  }
  if (chunks == "none" || (chunks.empty() && is_plain)) return layout;
  if (chunks.empty() || chunks == "auto") {
    const auto guess = guess_chunk({stack.pairs, stack.rows, stack.cols}, sizeof(float));
    layout.chunk = {guess[0], guess[1], guess[2]};
  } else {
    layout.chunk = parse_chunk(chunks);
  }
  layout.chunk = {std::min(layout.chunk[0], stack.pairs), std::min(layout.chunk[1], stack.rows),
                  std::min(layout.chunk[2], stack.cols)};
  return layout;
}

std::vector<std::int64_t> guess_chunk(const std::vector<std::int64_t>& shape, std::int64_t element_bytes) {
  constexpr double smallest = 8192;
  constexpr double largest = 1048576;
  const auto bytes_of = [&](const std::vector<std::int64_t>& sizes) {
    double bytes = static_cast<double>(element_bytes);
    for (const auto size : sizes) bytes *= static_cast<double>(size);
    return bytes;
  };
  const double target = std::clamp(16384 * std::exp2(std::log10(bytes_of(shape) / largest)), smallest, largest);
  auto chunk = shape;
  for (std::size_t axis = 0;; axis = (axis + 1) % chunk.size()) {
    const double bytes = bytes_of(chunk);
    const bool is_near = bytes < target || std::abs(bytes - target) / target < 0.5;
    if ((is_near && bytes < largest) || bytes <= static_cast<double>(element_bytes)) return chunk;
    chunk[axis] = (chunk[axis] + 1) / 2;
  }
}

TileGrid chunk_aligned_grid(const Layout& layout, std::int64_t rows, std::int64_t cols, std::int64_t wanted_pixels) {
  const std::int64_t unit_rows = std::max<std::int64_t>(layout.chunk[1], 1);
  const std::int64_t unit_cols = std::max<std::int64_t>(layout.chunk[2], 1);
  const std::int64_t units = std::max<std::int64_t>(wanted_pixels / (unit_rows * unit_cols), 1);
  const std::int64_t across = (cols - 1) / unit_cols + 1;
  const std::int64_t tile_cols = std::min(cols, std::min(units, across) * unit_cols);
  return {rows, cols, std::max<std::int64_t>(units / across, 1) * unit_rows, tile_cols};
}

}  // namespace outcrop::tools
