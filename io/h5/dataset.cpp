// Opens datasets and reads small ones; sizes that a file claims are checked before memory is taken.
#include "io/h5/dataset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "io/h5/call.hpp"
#include "io/h5/dataset_info.hpp"
#include "io/h5/object_place.hpp"
#include "io/h5/text_heap.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io::h5 {
namespace {

constexpr std::int64_t max_small_elements = 10'000'000;
constexpr std::int64_t max_small_bytes = std::int64_t{256} << 20;

/// The number of elements, when it is one that may be read at once.
std::size_t small_count(const DatasetInfo& info, const std::vector<std::int64_t>& shape) {
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  std::int64_t count = empty ? 0 : 1;
  const std::int64_t element = std::max<std::int64_t>(info.type.size_bytes, 1);
  for (const auto size : shape) {
    if (count != 0 && size > max_small_elements / count) count = max_small_elements + 1;
    if (count > max_small_elements) break;
    count *= size;
  }
  if (count > max_small_elements || count * element > max_small_bytes) {
    fail(Errc::input, fmt::format("reading dataset {} of {}: it claims {} elements of {} bytes, too many for a dataset "
                                  "of this kind; check the file",
                                  info.name, info.path, fmt::join(shape, " x "), element));
  }
  return static_cast<std::size_t>(count);
}

[[noreturn]] void refuse_type(const DatasetInfo& info, const char* wanted) {
  fail(Errc::input,
       fmt::format("reading dataset {} of {}: it holds {}, not {}", info.name, info.path, describe(info.type), wanted));
}

/// The text up to its padding: zeros or blanks.
std::string without_padding(const char* text, std::size_t size) {
  std::string result(text, strnlen(text, size));
  result.erase(result.find_last_not_of(' ') + 1);
  return result;
}

std::vector<std::string> read_fixed_strings(hid_t dataset, hid_t type, std::size_t count) {
  const auto size = H5Tget_size(type);
  std::vector<char> bytes(count * size);
  call("H5Dread", H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(without_padding(bytes.data() + i * size, size));
  return result;
}

std::vector<std::string> read_variable_strings(hid_t dataset, hid_t type, std::size_t count) {
  std::vector<char*> texts(count, nullptr);
  call("H5Dread", H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
  std::vector<std::string> result;
  for (const char* text : texts) {
    result.push_back(text == nullptr ? std::string() : without_padding(text, std::strlen(text)));
  }
  const SpaceHandle space(call("H5Dget_space", H5Dget_space(dataset)));
  call("H5Dvlen_reclaim", H5Dvlen_reclaim(type, space.get(), H5P_DEFAULT, texts.data()));
  return result;
}

/// See text_heap.hpp. Texts in chunks are left to HDF5: no InSAR program has them there.
void check_contiguous_texts(const DatasetInfo& info, hid_t dataset, std::size_t count) {
  if (info.layout != Layout::contiguous || info.address < 0 || info.external) return;
  const auto stored = StoredFile::open(info.path);
  const FormatReader reader(*stored, file_format(dataset), info.name);
  const auto bytes = static_cast<std::int64_t>(count) * (8 + reader.format().address_bytes);
  const auto address = static_cast<std::uint64_t>(info.address - reader.format().base_address);
  check_texts(reader, reader.block(address, bytes, "its elements"));
}

std::vector<double> read_doubles(const DatasetInfo& info, hid_t dataset, hid_t memory_space, hid_t file_space,
                                 std::size_t count) {
  std::vector<double> values(count);
  if (info.type.kind != TypeClass::boolean) {
    call("H5Dread", H5Dread(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, values.data()));
    return values;
  }
  const TypeHandle type(call("H5Dget_type", H5Dget_type(dataset)));
  std::vector<signed char> flags(count);
  call("H5Dread", H5Dread(dataset, type.get(), memory_space, file_space, H5P_DEFAULT, flags.data()));
  std::copy(flags.begin(), flags.end(), values.begin());
  return values;
}

}  // namespace

Dataset Dataset::open(const File& file, const std::string& name) {
  const auto lock = library_lock();
  if (!file.has_dataset(name)) {
    fail(Errc::input, fmt::format("opening dataset {} of {}: there is none; the file has {}", name, file.path(),
                                  fmt::join(file.dataset_names(), ", ")));
  }
  try {
    DatasetHandle handle(call("H5Dopen2", H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT)));
    auto info = read_info(handle.get(), name);
    return Dataset(std::move(info), std::move(handle));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("opening dataset {} of {}", name, file.path()));
  }
}

std::vector<std::string> Dataset::read_strings() const {
  const auto lock = library_lock();
  if (info_.type.kind != TypeClass::string) refuse_type(info_, "text");
  const auto count = small_count(info_, info_.shape);
  if (count == 0) return {};
  try {
    const TypeHandle type(call("H5Dget_type", H5Dget_type(id())));
    if (info_.type.size_bytes == 0) check_contiguous_texts(info_, id(), count);
    return info_.type.size_bytes == 0 ? read_variable_strings(id(), type.get(), count)
                                      : read_fixed_strings(id(), type.get(), count);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading dataset {} of {}", info_.name, info_.path));
  }
}

std::vector<double> Dataset::read_numbers() const {
  const auto lock = library_lock();
  if (info_.type.kind == TypeClass::string || info_.type.kind == TypeClass::other) refuse_type(info_, "numbers");
  const auto count = small_count(info_, info_.shape);
  if (count == 0) return {};
  try {
    return read_doubles(info_, id(), H5S_ALL, H5S_ALL, count);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading dataset {} of {}", info_.name, info_.path));
  }
}

std::vector<double> Dataset::read_block(const std::vector<std::int64_t>& start,
                                        const std::vector<std::int64_t>& count) const {
  const auto lock = library_lock();
  if (info_.type.kind == TypeClass::string || info_.type.kind == TypeClass::other) refuse_type(info_, "numbers");
  OUTCROP_EXPECT(!start.empty() && start.size() == info_.shape.size() && count.size() == start.size(),
                 "a block has the rank of its dataset");
  const auto elements = small_count(info_, count);
  if (elements == 0) return {};
  try {
    const SpaceHandle file_space(call("H5Dget_space", H5Dget_space(id())));
    const std::vector<hsize_t> from(start.begin(), start.end());
    const std::vector<hsize_t> size(count.begin(), count.end());
    call("H5Sselect_hyperslab",
         H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr));
    const SpaceHandle memory_space(
        call("H5Screate_simple", H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr)));
    return read_doubles(info_, id(), memory_space.get(), file_space.get(), elements);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading dataset {} of {}", info_.name, info_.path));
  }
}

}  // namespace outcrop::io::h5
