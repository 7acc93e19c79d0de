// Turns attributes of every stored form into text, and writes text as h5py writes a Python str.
#include "io/h5/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "io/h5/call.hpp"
#include "io/h5/file.hpp"
#include "io/h5/object_place.hpp"
#include "io/h5/processor_limit.hpp"
#include "io/h5/text_heap.hpp"
#include "io/h5/writer.hpp"
#include "io/python_text.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io {

std::optional<std::string> Attributes::get(const std::string& name) const {
  for (const auto& [key, value] : items_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<double> Attributes::number(const std::string& name) const {
  const auto text = get(name);
  if (!text) return std::nullopt;
  double value = 0;
  if (!parse_number(*text, value) || !std::isfinite(value)) {
    fail(Errc::input, fmt::format("attribute {} is '{}', which is not a number", name, *text));
  }
  return value;
}

std::optional<std::int64_t> Attributes::integer(const std::string& name) const {
  const auto value = number(name);
  if (!value) return std::nullopt;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  if (*value != std::floor(*value) || std::abs(*value) > largest_exact) {
    fail(Errc::input, fmt::format("attribute {} is '{}', which is not a whole number", name, get(name).value_or("")));
  }
  return static_cast<std::int64_t>(*value);
}

void Attributes::set(const std::string& name, std::string value) {
  for (auto& [key, old] : items_) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  items_.emplace_back(name, std::move(value));
}

void Attributes::remove(const std::string& name) {
  std::erase_if(items_, [&](const auto& item) { return item.first == name; });
}

namespace h5 {
namespace {

constexpr std::size_t max_attribute_bytes = std::size_t{64} << 20;

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* names) noexcept {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// One value is a scalar; several are the text of a Python list.
std::string scalar_or_list(const std::vector<std::string>& values, bool quoted) {
  if (values.size() == 1) return values[0];
  if (quoted) return python_list(values);
  std::string text = "[";
  for (const auto& value : values) text += (text.size() > 1 ? ", " : "") + value;
  return text + "]";
}

std::vector<std::string> fixed_texts(hid_t attribute, hid_t type, std::size_t count) {
  const auto size = H5Tget_size(type);
  const bool blank_padded = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  std::vector<char> bytes(size * count);
  call("H5Aread", H5Aread(attribute, type, bytes.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = bytes.data() + i * size;
    std::string text(begin, strnlen(begin, size));
    if (blank_padded) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> variable_texts(hid_t attribute, hid_t type, hid_t space, std::size_t count) {
  std::vector<char*> pointers(count, nullptr);
  call("H5Aread", H5Aread(attribute, type, pointers.data()));
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  call("H5Dvlen_reclaim", H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()));
  return texts;
}

template <class T>
std::vector<std::string> number_texts(hid_t attribute, hid_t memory_type, std::size_t count) {
  std::vector<T> values(count);
  call("H5Aread", H5Aread(attribute, memory_type, values.data()));
  std::vector<std::string> texts;
  for (const T value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      texts.push_back(python_float(value));
    } else {
      texts.push_back(std::to_string(value));
    }
  }
  return texts;
}

std::vector<std::string> enum_texts(hid_t attribute, hid_t type, std::size_t count) {
  const auto size = H5Tget_size(type);
  std::vector<char> bytes(size * count);
  call("H5Aread", H5Aread(attribute, type, bytes.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string name(256, '\0');
    call("H5Tenum_nameof", H5Tenum_nameof(type, bytes.data() + i * size, name.data(), name.size()));
    name.resize(std::strlen(name.c_str()));
    texts.push_back(name == "TRUE" ? "True" : name == "FALSE" ? "False" : name);
  }
  return texts;
}

/// nullopt for types that have no text: references, compounds, opaque bytes.
std::optional<std::string> read_value(hid_t attribute, hid_t type, hid_t space, std::size_t count) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return scalar_or_list(H5Tis_variable_str(type) > 0 ? variable_texts(attribute, type, space, count)
                                                         : fixed_texts(attribute, type, count),
                            true);
    case H5T_INTEGER:
      return scalar_or_list(H5Tget_sign(type) == H5T_SGN_2
                                ? number_texts<std::int64_t>(attribute, H5T_NATIVE_INT64, count)
                                : number_texts<std::uint64_t>(attribute, H5T_NATIVE_UINT64, count),
                            false);
    case H5T_FLOAT:
      return scalar_or_list(H5Tget_size(type) <= sizeof(float)
                                ? number_texts<float>(attribute, H5T_NATIVE_FLOAT, count)
                                : number_texts<double>(attribute, H5T_NATIVE_DOUBLE, count),
                            false);
    case H5T_ENUM:
      return scalar_or_list(enum_texts(attribute, type, count), false);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> read_one(hid_t object, const std::string& name) {
  const AttributeHandle attribute(call("H5Aopen", H5Aopen(object, name.c_str(), H5P_DEFAULT)));
  const TypeHandle type(call("H5Aget_type", H5Aget_type(attribute.get())));
  const SpaceHandle space(call("H5Aget_space", H5Aget_space(attribute.get())));
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return std::string();
  const auto count = call("H5Sget_simple_extent_npoints", H5Sget_simple_extent_npoints(space.get()));
  if (static_cast<std::size_t>(count) > max_attribute_bytes / std::max<std::size_t>(H5Tget_size(type.get()), 1)) {
    fail(Errc::input, fmt::format("it claims {} elements, too many for an attribute; check the file", count));
  }
  return read_value(attribute.get(), type.get(), space.get(), static_cast<std::size_t>(count));
}

/// See text_heap.hpp.
void check_texts_of(hid_t object, const std::string& name) {
  const auto stored = StoredFile::open(holding_file(object));
  check_attribute_texts(FormatReader(*stored, file_format(object), "the attributes of " + name),
                        header_address(object));
}

}  // namespace

Attributes read_attributes(const File& file, const std::string& object) {
  const auto lock = library_lock();
  const ProcessorLimit limit;
  Attributes attributes;
  std::string at;
  try {
    const ObjectHandle handle(call("H5Oopen", H5Oopen(file.id(), object.c_str(), H5P_DEFAULT)));
    std::vector<std::string> names;
    call("H5Aiterate2", H5Aiterate2(handle.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_name, &names));
    if (!names.empty()) check_texts_of(handle.get(), object);
    for (const auto& name : names) {
      at = " " + name;
      if (auto value = read_one(handle.get(), name)) attributes.set(name, std::move(*value));
    }
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading attribute{} of {} in {}", at, object, file.path()));
  }
  return attributes;
}

void write_attributes(hid_t object, const Attributes& attributes) {
  const auto lock = library_lock();
  const TypeHandle type(call("H5Tcopy", H5Tcopy(H5T_C_S1)));
  call("H5Tset_size", H5Tset_size(type.get(), H5T_VARIABLE));
  call("H5Tset_cset", H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const SpaceHandle space(call("H5Screate", H5Screate(H5S_SCALAR)));
  for (const auto& [name, value] : attributes.all()) {
    if (call("H5Aexists", H5Aexists(object, name.c_str())) > 0) call("H5Adelete", H5Adelete(object, name.c_str()));
    const AttributeHandle attribute(
        call("H5Acreate2", H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)));
    const char* text = value.c_str();
    call("H5Awrite", H5Awrite(attribute.get(), type.get(), &text));
  }
}

void write_attributes(const File& file, const Attributes& attributes) {
  try {
    write_attributes(file.id(), attributes);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("writing the attributes of {}", file.path()));
  }
}

}  // namespace h5
}  // namespace outcrop::io
