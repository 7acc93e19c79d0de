// Asks HDF5 where an object lies.
#include "io/h5/object_place.hpp"

#include "io/h5/call.hpp"
#include "io/h5/handle.hpp"

namespace outcrop::io::h5 {

std::string holding_file(hid_t object) {
  const auto length = call("H5Fget_name", H5Fget_name(object, nullptr, 0));
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  call("H5Fget_name", H5Fget_name(object, name.data(), name.size()));
  name.pop_back();
  return name;
}

FileFormat file_format(hid_t object) {
  const FileHandle file(call("H5Iget_file_id", H5Iget_file_id(object)));
  const PropertyHandle creation(call("H5Fget_create_plist", H5Fget_create_plist(file.get())));
  hsize_t user_block = 0;
  std::size_t address_bytes = 0;
  std::size_t length_bytes = 0;
  unsigned half_of_entries = 0;
  call("H5Pget_userblock", H5Pget_userblock(creation.get(), &user_block));
  call("H5Pget_sizes", H5Pget_sizes(creation.get(), &address_bytes, &length_bytes));
  call("H5Pget_istore_k", H5Pget_istore_k(creation.get(), &half_of_entries));
  return {static_cast<std::int64_t>(user_block), static_cast<int>(address_bytes), static_cast<int>(length_bytes),
          2 * static_cast<int>(half_of_entries)};
}

std::uint64_t header_address(hid_t object) {
  // The layout of what H5Oget_info2 fills has two names.
#if H5_VERSION_GE(1, 12, 0)
  H5O_info1_t info = {};
#else
  H5O_info_t info = {};
#endif
  call("H5Oget_info2", H5Oget_info2(object, &info, H5O_INFO_BASIC));
  return info.addr;
}

}  // namespace outcrop::io::h5
