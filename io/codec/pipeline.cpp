// Undoes the filters of a chunk from the last one applied to the first, between two buffers.
#include "io/codec/pipeline.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/check.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

bool is_compressor(int id) { return id == deflate_filter || id == lzf_filter; }

/// Undoes one filter that writes its result to `out`. Gives: the result.
std::span<const std::byte> undo(const FilterSpec& filter, std::int64_t element_bytes, std::span<const std::byte> in,
                                std::span<std::byte> out) {
  if (filter.id == deflate_filter) return out.first(static_cast<std::size_t>(inflate(in, out)));
  if (filter.id == lzf_filter) return out.first(static_cast<std::size_t>(expand_lzf(in, out)));
  if (in.size() > out.size()) {
    fail(Errc::corrupt,
         fmt::format("unshuffling a chunk failed: it holds {} bytes, at most {} are possible", in.size(), out.size()));
  }
  const std::int64_t bytes = filter.parameters.empty() ? element_bytes : std::int64_t{filter.parameters.front()};
  if (bytes <= 0) fail(Errc::corrupt, "unshuffling a chunk failed: the filter says that elements have 0 bytes");
  unshuffle(in, out.first(in.size()), bytes);
  return out.first(in.size());
}

}  // namespace

bool is_known(int filter_id) {
  return is_compressor(filter_id) || filter_id == shuffle_filter || filter_id == fletcher32_filter;
}

Pipeline::Pipeline(std::vector<FilterSpec> filters, std::int64_t chunk_bytes, std::int64_t element_bytes)
    : filters_(std::move(filters)),
      chunk_bytes_(chunk_bytes),
      element_bytes_(element_bytes),
      buffer_bytes_(chunk_bytes) {
  int compressors = 0;
  for (const FilterSpec& filter : filters_) {
    OUTCROP_EXPECT(is_known(filter.id), fmt::format("filter {} has no decoder", filter.id));
    if (filter.id == fletcher32_filter) buffer_bytes_ += 4;
    if (filter.id != fletcher32_filter) ++moving_filters_;
    if (is_compressor(filter.id)) ++compressors;
  }
  // What a second compressor was given can be a little longer than the chunk: incompressible data grow.
  if (compressors > 1) buffer_bytes_ += chunk_bytes_ / 16 + 1024;
}

bool Pipeline::is_packed(std::uint32_t skipped) const {
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    if (is_compressor(filters_[i].id) && (skipped >> i & 1U) == 0) return true;
  }
  return false;
}

std::span<const std::byte> Pipeline::decode(std::span<const std::byte> stored, std::uint32_t skipped,
                                            std::span<std::byte> first, std::span<std::byte> second) const {
  std::span<const std::byte> data = stored;
  for (std::size_t i = filters_.size(); i-- > 0;) {
    if ((skipped >> i & 1U) != 0) continue;
    if (filters_[i].id == fletcher32_filter) {
      data = verify_fletcher32(data);
    } else {
      data = undo(filters_[i], element_bytes_, data, first);
      std::swap(first, second);
    }
  }
  if (static_cast<std::int64_t>(data.size()) != chunk_bytes_) {
    fail(Errc::corrupt, fmt::format("the chunk decodes to {} bytes where {} are needed", data.size(), chunk_bytes_));
  }
  return data;
}

}  // namespace outcrop::io::codec
