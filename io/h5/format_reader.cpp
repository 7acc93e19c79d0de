// Bounds-checked reading of HDF5's file format.
#include "io/h5/format_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"

namespace outcrop::io::h5 {

std::uint64_t FormatBlock::number(int num_bytes) {
  OUTCROP_ASSERT(num_bytes <= 8);
  const std::int64_t begin = position_;
  skip(num_bytes);
  std::uint64_t value = 0;
  for (int i = 0; i < num_bytes; ++i) {
    value |= std::to_integer<std::uint64_t>(bytes_[static_cast<std::size_t>(begin + i)])
             << static_cast<unsigned>(8 * i);
  }
  return value;
}

void FormatBlock::skip(std::int64_t num_bytes) {
  if (num_bytes < 0 || num_bytes > left()) {
    fail(Errc::corrupt,
         fmt::format("reading how {} is stored failed: {} ends too early; the file is damaged", owner_, what_));
  }
  position_ += num_bytes;
}

bool FormatBlock::starts_with(const char (&signature)[5]) {
  if (left() < 4) return false;
  for (std::int64_t i = 0; i < 4; ++i) {
    if (std::to_integer<char>(bytes_[static_cast<std::size_t>(position_ + i)]) != signature[i]) return false;
  }
  position_ += 4;
  return true;
}

FormatBlock FormatBlock::part(std::int64_t num_bytes) {
  const std::int64_t begin = position_;
  skip(num_bytes);
  return {std::vector<std::byte>(bytes_.begin() + begin, bytes_.begin() + position_), what_, owner_};
}

FormatBlock FormatReader::block(std::uint64_t address, std::int64_t num_bytes, const std::string& what) const {
  const std::int64_t offset = file_offset(address, num_bytes, what);
  std::vector<std::byte> bytes(static_cast<std::size_t>(num_bytes));
  file_.read(offset, bytes, dataset_);
  return {std::move(bytes), what, fmt::format("{} in {}", dataset_, file_.path())};
}

std::int64_t FormatReader::bytes_from(std::uint64_t address) const {
  const std::int64_t after_base = std::max<std::int64_t>(file_.size_bytes() - format_.base_address, 0);
  if (address >= static_cast<std::uint64_t>(after_base)) return 0;
  return after_base - static_cast<std::int64_t>(address);
}

std::int64_t FormatReader::file_offset(std::uint64_t address, std::int64_t num_bytes, const std::string& what) const {
  if (num_bytes < 0 || num_bytes > bytes_from(address)) {
    corrupt(fmt::format("{} of {} bytes at address {} is not inside the file of {} bytes", what, num_bytes, address,
                        file_.size_bytes()));
  }
  return static_cast<std::int64_t>(address) + format_.base_address;
}

bool FormatReader::is_undefined(std::uint64_t address) const {
  const std::uint64_t all = format_.address_bytes >= 8
                                ? ~std::uint64_t{0}
                                : (std::uint64_t{1} << static_cast<unsigned>(8 * format_.address_bytes)) - 1;
  return address == all;
}

void FormatReader::corrupt(const std::string& what_is_wrong, SourceLocation where) const {
  fail(Errc::corrupt,
       fmt::format("reading how {} in {} is stored failed: {}; the file is damaged, copy or make it again", dataset_,
                   file_.path(), what_is_wrong),
       where);
}

}  // namespace outcrop::io::h5
