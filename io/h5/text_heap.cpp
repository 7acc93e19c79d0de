// Global heaps and attribute messages as the HDF5 file format specification (version 3.0, sections III.E and IV.A.2.m)
// lays them out.
#include "io/h5/text_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "io/h5/object_header.hpp"

namespace outcrop::io::h5 {
namespace {

constexpr std::uint64_t attribute_message = 0x0c;
constexpr std::uint64_t variable_length_class = 9;

std::int64_t in_eights(std::int64_t bytes) { return (bytes + 7) / 8 * 8; }

class HeapCheck {
 public:
  explicit HeapCheck(const FormatReader& reader) : reader_(reader) {}

  void references(FormatBlock block) {
    const std::int64_t bytes = 4 + reader_.format().address_bytes + 4;
    while (block.left() >= bytes) {
      const std::uint64_t length = block.number(4);
      const std::uint64_t address = block.number(reader_.format().address_bytes);
      const std::uint64_t index = block.number(4);
      if (length == 0 || reader_.is_undefined(address) || address == 0) continue;  // an empty text has no place
      const Objects& objects = heap(address);
      const auto object = objects.find(index);
      if (object == objects.end() || object->second != length) {
        reader_.corrupt(fmt::format("a text of {} bytes is not in the heap at address {}", length, address));
      }
    }
  }

 private:
  using Objects = std::map<std::uint64_t, std::uint64_t>;  ///< bytes by index

  const Objects& heap(std::uint64_t address) {
    const auto known = heaps_.find(address);
    return known != heaps_.end() ? known->second : heaps_.emplace(address, read_heap(address)).first->second;
  }

  Objects read_heap(std::uint64_t address) const {
    const int length_bytes = reader_.format().length_bytes;
    FormatBlock front = reader_.block(address, 8 + length_bytes, "a heap of texts");
    if (!front.starts_with("GCOL") || front.number(1) != 1) {
      reader_.corrupt(fmt::format("there is no heap of texts at address {}", address));
    }
    front.skip(3);
    const std::uint64_t bytes = front.number(length_bytes);
    if (bytes > static_cast<std::uint64_t>(reader_.bytes_from(address)) || bytes < 16) {
      reader_.corrupt(fmt::format("the heap of texts at address {} claims {} bytes", address, bytes));
    }
    FormatBlock block = reader_.block(address, static_cast<std::int64_t>(bytes), "a heap of texts");
    block.skip(in_eights(8 + length_bytes));
    return read_objects(block, address);
  }

  Objects read_objects(FormatBlock& block, std::uint64_t address) const {
    const std::int64_t front_bytes = in_eights(8 + reader_.format().length_bytes);
    Objects objects;
    while (block.left() >= front_bytes) {
      FormatBlock front = block.part(front_bytes);
      const std::uint64_t index = front.number(2);
      front.skip(6);
      const std::uint64_t bytes = front.number(reader_.format().length_bytes);
      // The free space, object 0, counts its own front and ends the heap.
      const std::int64_t room = block.left() + (index == 0 ? front_bytes : 0);
      const bool fits = bytes <= static_cast<std::uint64_t>(room);
      if (!fits || (index == 0 && static_cast<std::int64_t>(bytes) != room) ||
          (index != 0 && !objects.emplace(index, bytes).second)) {
        reader_.corrupt(
            fmt::format("object {} of the heap of texts at address {} cannot have {} bytes", index, address, bytes));
      }
      if (index == 0) break;
      block.skip(std::min(in_eights(static_cast<std::int64_t>(bytes)), block.left()));
    }
    return objects;
  }

  const FormatReader& reader_;
  std::map<std::uint64_t, Objects> heaps_;
};

/// Skips to the values of an attribute. False when they are no texts of any length, or of a type kept elsewhere.
bool skip_to_texts(FormatBlock& message) {
  const std::uint64_t version = message.number(1);
  const std::uint64_t flags = message.number(1);
  const auto name_bytes = static_cast<std::int64_t>(message.number(2));
  const auto type_bytes = static_cast<std::int64_t>(message.number(2));
  const auto space_bytes = static_cast<std::int64_t>(message.number(2));
  if (version == 3) message.skip(1);
  const bool is_padded = version == 1;
  message.skip(is_padded ? in_eights(name_bytes) : name_bytes);
  FormatBlock type = message.part(is_padded ? in_eights(type_bytes) : type_bytes);
  message.skip(is_padded ? in_eights(space_bytes) : space_bytes);
  const bool is_shared = version != 1 && flags != 0;
  return !is_shared && type.left() > 0 && (type.number(1) & 0x0fU) == variable_length_class;
}

}  // namespace

void check_attribute_texts(const FormatReader& reader, std::uint64_t address) {
  HeapCheck check(reader);
  for (FormatBlock& message : read_messages(reader, address, attribute_message)) {
    if (skip_to_texts(message)) check.references(std::move(message));
  }
}

void check_texts(const FormatReader& reader, FormatBlock references) {
  HeapCheck(reader).references(std::move(references));
}

}  // namespace outcrop::io::h5
