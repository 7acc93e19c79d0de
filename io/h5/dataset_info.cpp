// Reads how a dataset is stored, without a look at its values.
#include "io/h5/dataset_info.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "io/h5/call.hpp"
#include "io/h5/object_place.hpp"

namespace outcrop::io::h5 {
namespace {

/// h5py's bool: an enum of one byte with the members FALSE = 0 and TRUE = 1.
bool is_h5py_bool(hid_t type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) return false;
  const std::array<const char*, 2> names = {"FALSE", "TRUE"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    signed char value = -1;
    if (H5Tenum_valueof(type, names[i], &value) < 0 || value != static_cast<signed char>(i)) return false;
  }
  return true;
}

struct FloatFields {
  std::size_t sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
  friend bool operator==(const FloatFields&, const FloatFields&) = default;
};

bool is_ieee(hid_t type, std::size_t size) {
  FloatFields found = {};
  H5Tget_fields(type, &found.sign, &found.exponent, &found.exponent_bits, &found.mantissa, &found.mantissa_bits);
  found.bias = H5Tget_ebias(type);
  if (H5Tget_norm(type) != H5T_NORM_IMPLIED) return false;
  return (size == 2 && found == FloatFields{15, 10, 5, 0, 10, 15}) ||
         (size == 4 && found == FloatFields{31, 23, 8, 0, 23, 127}) ||
         (size == 8 && found == FloatFields{63, 52, 11, 0, 52, 1023});
}

bool is_without_padding(hid_t type, std::size_t size) {
  const auto order = H5Tget_order(type);
  return (order == H5T_ORDER_LE || order == H5T_ORDER_BE || size == 1) && H5Tget_precision(type) == 8 * size &&
         H5Tget_offset(type) == 0;
}

StoredType read_type(hid_t type) {
  StoredType stored;
  const auto size = H5Tget_size(type);
  if (size > 0 && size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    stored.size_bytes = static_cast<int>(size);
  }
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      stored.kind = TypeClass::floating;
      stored.is_signed = true;
      stored.plain = is_without_padding(type, size) && is_ieee(type, size);
      break;
    case H5T_INTEGER:
      stored.kind = TypeClass::integer;
      stored.is_signed = H5Tget_sign(type) == H5T_SGN_2;
      stored.plain = is_without_padding(type, size) && (size == 1 || size == 2 || size == 4 || size == 8);
      break;
    case H5T_ENUM:
      if (!is_h5py_bool(type)) return stored;
      stored.kind = TypeClass::boolean;
      stored.is_signed = true;
      stored.plain = true;
      break;
    case H5T_STRING:
      stored.kind = TypeClass::string;
      if (H5Tis_variable_str(type) > 0) stored.size_bytes = 0;
      return stored;
    default:
      return stored;
  }
  stored.big_endian = size > 1 && H5Tget_order(type) == H5T_ORDER_BE;
  return stored;
}

std::vector<std::int64_t> signed_sizes(const std::vector<hsize_t>& sizes) {
  std::vector<std::int64_t> result;
  for (const auto size : sizes) {
    constexpr auto largest = static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max());
    if (size > largest) fail(Errc::input, fmt::format("a dimension of {} elements is no array", size));
    result.push_back(static_cast<std::int64_t>(size));
  }
  return result;
}

std::vector<std::int64_t> read_shape(hid_t dataset) {
  const SpaceHandle space(call("H5Dget_space", H5Dget_space(dataset)));
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return {0};
  const int rank = call("H5Sget_simple_extent_ndims", H5Sget_simple_extent_ndims(space.get()));
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  call("H5Sget_simple_extent_dims", H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr));
  return signed_sizes(sizes);
}

Layout read_layout(hid_t creation) {
  switch (H5Pget_layout(creation)) {
    case H5D_COMPACT:
      return Layout::compact;
    case H5D_CONTIGUOUS:
      return Layout::contiguous;
    case H5D_CHUNKED:
      return Layout::chunked;
    case H5D_VIRTUAL:
      return Layout::is_virtual;
    default:
      throw_last_error("H5Pget_layout", SourceLocation::current());
  }
}

std::vector<std::int64_t> read_chunk(hid_t creation, std::size_t rank) {
  std::vector<hsize_t> sizes(rank);
  call("H5Pget_chunk", H5Pget_chunk(creation, static_cast<int>(rank), sizes.data()));
  return signed_sizes(sizes);
}

std::string filter_name(int id, const char* stored) {
  switch (id) {
    case H5Z_FILTER_DEFLATE:
      return "gzip";
    case H5Z_FILTER_SHUFFLE:
      return "shuffle";
    case H5Z_FILTER_FLETCHER32:
      return "fletcher32";
    case H5Z_FILTER_SZIP:
      return "szip";
    case H5Z_FILTER_NBIT:
      return "nbit";
    case H5Z_FILTER_SCALEOFFSET:
      return "scaleoffset";
    case 32000:
      return "lzf";
    default:
      return stored[0] != '\0' ? stored : fmt::format("filter {}", id);
  }
}

std::vector<Filter> read_filters(hid_t creation) {
  std::vector<Filter> filters;
  const int count = call("H5Pget_nfilters", H5Pget_nfilters(creation));
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t parameter_count = 0;
    std::array<char, 256> name = {};
    call("H5Pget_filter2", H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &parameter_count, nullptr,
                                          name.size() - 1, name.data(), nullptr));
    Filter filter;
    filter.parameters.resize(parameter_count);
    filter.id = call("H5Pget_filter2", H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &parameter_count,
                                                      filter.parameters.data(), 0, nullptr, nullptr));
    filter.name = filter_name(filter.id, name.data());
    filters.push_back(std::move(filter));
  }
  return filters;
}

double read_fill_value(hid_t creation, const StoredType& type) {
  H5D_fill_value_t status = H5D_FILL_VALUE_UNDEFINED;
  call("H5Pfill_value_defined", H5Pfill_value_defined(creation, &status));
  const bool numeric = type.kind == TypeClass::floating || type.kind == TypeClass::integer;
  if (status != H5D_FILL_VALUE_USER_DEFINED || !numeric) return 0;
  double value = 0;
  call("H5Pget_fill_value", H5Pget_fill_value(creation, H5T_NATIVE_DOUBLE, &value));
  return value;
}

}  // namespace

DatasetInfo read_info(hid_t dataset, const std::string& name) {
  const TypeHandle type(call("H5Dget_type", H5Dget_type(dataset)));
  const PropertyHandle creation(call("H5Dget_create_plist", H5Dget_create_plist(dataset)));
  DatasetInfo info;
  info.path = holding_file(dataset);
  info.name = name;
  info.shape = read_shape(dataset);
  info.type = read_type(type.get());
  info.layout = read_layout(creation.get());
  if (info.layout == Layout::chunked) info.chunk = read_chunk(creation.get(), info.shape.size());
  info.filters = read_filters(creation.get());
  info.external = call("H5Pget_external_count", H5Pget_external_count(creation.get())) > 0;
  info.fill_value = read_fill_value(creation.get(), info.type);
  const auto address = H5Dget_offset(dataset);  // HADDR_UNDEF, without an error, for all that is not contiguous
  if (info.layout != Layout::chunked) {         // the library would walk through all chunks
    info.stored_bytes = static_cast<std::int64_t>(H5Dget_storage_size(dataset));
  }
  // HDF5 1.10 adds the user block even to "no address", so that alone does not tell what was never written.
  if (info.layout == Layout::contiguous && !info.external && address != HADDR_UNDEF && info.stored_bytes > 0) {
    info.address = static_cast<std::int64_t>(address);
  }
  H5Eclear2(H5E_DEFAULT);
  return info;
}

}  // namespace outcrop::io::h5
