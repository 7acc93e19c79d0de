// Reads object headers as the HDF5 file format specification (version 3.0, section IV.A) lays them out.
#include "io/h5/object_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

namespace outcrop::io::h5 {
namespace {

constexpr std::uint64_t layout_message = 0x08;
constexpr std::uint64_t continuation_message = 0x10;
constexpr std::uint64_t chunked_class = 2;
constexpr std::uint64_t shared_flag = 0x02;
constexpr int most_blocks = 10'000;  // of a header; a chain that is longer goes round in circles

struct HeaderBlock {
  std::uint64_t address = 0;
  std::int64_t num_bytes = 0;
};

/// The messages of one header, those of one type kept.
class HeaderWalk {
 public:
  HeaderWalk(const FormatReader& reader, std::uint64_t wanted) : reader_(reader), wanted_(wanted) {}

  std::vector<FormatBlock> run(std::uint64_t address) {
    FormatBlock start =
        reader_.block(address, std::min<std::int64_t>(64, reader_.bytes_from(address)), "the object header");
    if (start.starts_with("OHDR")) {
      begin_version_2(address, start);
    } else {
      begin_version_1(address, start);
    }
    for (int visited = 0; !blocks_.empty() && visited < most_blocks; ++visited) {
      const HeaderBlock next = blocks_.front();
      blocks_.pop_front();
      read_messages(reader_.block(next.address, next.num_bytes, "a block of the object header"));
    }
    return std::move(found_);
  }

 private:
  void begin_version_1(std::uint64_t address, FormatBlock& start) {
    if (start.number(1) != 1) reader_.corrupt("its object header has an unknown version");
    start.skip(7);  // reserved, number of messages, reference count
    const auto num_bytes = static_cast<std::int64_t>(start.number(4));
    constexpr std::uint64_t prefix_bytes = 16;  // padded to a multiple of eight
    blocks_.push_back({address + prefix_bytes, num_bytes});
  }

  void begin_version_2(std::uint64_t address, FormatBlock& start) {
    version_ = 2;
    if (start.number(1) != 2) reader_.corrupt("its object header has an unknown version");
    const std::uint64_t flags = start.number(1);
    has_creation_order_ = (flags & 0x04U) != 0;
    if ((flags & 0x20U) != 0) start.skip(16);  // four times
    if ((flags & 0x10U) != 0) start.skip(4);   // attribute storage limits
    const std::uint64_t num_bytes = start.number(1 << (flags & 0x03U));
    if (num_bytes > static_cast<std::uint64_t>(reader_.bytes_from(address)))
      reader_.corrupt("its object header is too long");
    blocks_.push_back({address + static_cast<std::uint64_t>(start.position()), static_cast<std::int64_t>(num_bytes)});
  }

  void read_messages(FormatBlock block) {
    const int header_bytes = version_ == 1 ? 8 : has_creation_order_ ? 6 : 4;
    while (block.left() >= header_bytes) {
      const std::uint64_t type = block.number(version_ == 1 ? 2 : 1);
      const auto num_bytes = static_cast<std::int64_t>(block.number(2));
      const bool is_shared = (block.number(1) & shared_flag) != 0;
      block.skip(header_bytes - (version_ == 1 ? 5 : 4));
      FormatBlock message = block.part(num_bytes);
      if (type == continuation_message) add_continuation(message);
      if (type == wanted_ && !is_shared) found_.push_back(std::move(message));
    }
  }

  void add_continuation(FormatBlock& message) {
    const std::uint64_t address = message.number(reader_.format().address_bytes);
    const std::uint64_t num_bytes = message.number(reader_.format().length_bytes);
    constexpr std::uint64_t signature_bytes = 4;
    constexpr std::uint64_t checksum_bytes = 4;
    if (num_bytes > static_cast<std::uint64_t>(reader_.bytes_from(address))) {
      reader_.corrupt("a continuation of its object header is not inside the file");
    }
    if (version_ == 1) {
      blocks_.push_back({address, static_cast<std::int64_t>(num_bytes)});
      return;
    }
    if (num_bytes < signature_bytes + checksum_bytes ||
        !reader_.block(address, signature_bytes, "a block of the object header").starts_with("OCHK")) {
      reader_.corrupt("a continuation of its object header has no signature");
    }
    blocks_.push_back(
        {address + signature_bytes, static_cast<std::int64_t>(num_bytes - signature_bytes - checksum_bytes)});
  }

  const FormatReader& reader_;
  std::uint64_t wanted_;
  int version_ = 1;
  bool has_creation_order_ = false;
  std::deque<HeaderBlock> blocks_;
  std::vector<FormatBlock> found_;
};

ChunkedLayout read_layout(const FormatReader& reader, FormatBlock& message) {
  const std::uint64_t version = message.number(1);
  if (version > 3) return {};
  if (version == 0) reader.corrupt("its data-layout message has version 0");
  const bool is_old = version < 3;
  if (is_old) message.skip(1);  // number of dimensions, which versions 1 and 2 have before the class
  if (message.number(1) != chunked_class) reader.corrupt("its data-layout message is not of chunks");
  message.skip(is_old ? 5 : 1);  // reserved, or the number of dimensions
  const std::uint64_t address = message.number(reader.format().address_bytes);
  ChunkedLayout layout{true, {}};
  if (!reader.is_undefined(address)) layout.address = address;
  return layout;
}

}  // namespace

std::vector<FormatBlock> read_messages(const FormatReader& reader, std::uint64_t address, std::uint64_t type) {
  return HeaderWalk(reader, type).run(address);
}

ChunkedLayout read_chunked_layout(const FormatReader& reader, std::uint64_t address) {
  auto messages = read_messages(reader, address, layout_message);
  if (messages.empty()) reader.corrupt("its object header has no data-layout message");
  return read_layout(reader, messages.front());
}

}  // namespace outcrop::io::h5
