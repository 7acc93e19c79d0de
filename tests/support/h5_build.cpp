// Calls HDF5 directly, so that a mistake of our own wrappers cannot hide here.
#include "tests/support/h5_build.hpp"

#include <stdexcept>

namespace outcrop::test {
namespace {

hid_t checked(hid_t id) {
  if (id < 0) throw std::runtime_error("HDF5 refused to make a test file");
  return id;
}

hid_t make_space(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return checked(H5Screate(H5S_SCALAR));
  return checked(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
}

hid_t make_text_type(std::size_t size, H5T_str_t padding) {
  const hid_t type = checked(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, size);
  H5Tset_strpad(type, padding);
  return type;
}

}  // namespace

H5Build::H5Build(const std::string& path, bool latest) {
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS));
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file_ = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Pclose(access);
}

void H5Build::dataset(const std::string& name, const std::vector<hsize_t>& shape, hid_t type, hid_t memory,
                      const void* data, hid_t creation) {
  const hid_t space = make_space(shape);
  const hid_t id = checked(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  if (data != nullptr) checked(H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  H5Dclose(id);
  H5Sclose(space);
}

void H5Build::floats(const std::string& name, const std::vector<hsize_t>& shape, const std::vector<float>& values) {
  dataset(name, shape, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data());
}

void H5Build::strings(const std::string& name, const std::vector<hsize_t>& shape, std::size_t size,
                      const std::vector<std::string>& values, H5T_str_t padding) {
  std::string bytes;
  const char filler = padding == H5T_STR_SPACEPAD ? ' ' : '\0';
  for (const auto& value : values) bytes += (value + std::string(size, filler)).substr(0, size);
  const hid_t type = make_text_type(size, padding);
  dataset(name, shape, type, type, bytes.data());
  H5Tclose(type);
}

void H5Build::bools(const std::string& name, const std::vector<signed char>& values) {
  const hid_t type = make_bool_type();
  dataset(name, {values.size()}, type, type, values.data());
  H5Tclose(type);
}

void H5Build::attribute(const std::string& name, const std::vector<hsize_t>& shape, hid_t type, hid_t memory,
                        const void* data, const std::string& object) {
  const hid_t space = make_space(shape);
  const hid_t at = checked(H5Oopen(file_, object.c_str(), H5P_DEFAULT));
  const hid_t id = checked(H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(id, memory, data));
  H5Aclose(id);
  H5Oclose(at);
  H5Sclose(space);
}

void H5Build::text_attribute(const std::string& name, const std::string& text, const std::string& object) {
  const hid_t type = make_text_type(H5T_VARIABLE, H5T_STR_NULLTERM);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const char* pointer = text.c_str();
  attribute(name, {}, type, type, &pointer, object);
  H5Tclose(type);
}

void H5Build::fixed_attribute(const std::string& name, const std::string& text, std::size_t size, H5T_str_t padding) {
  const hid_t type = make_text_type(size, padding);
  const std::string bytes = (text + std::string(size, padding == H5T_STR_SPACEPAD ? ' ' : '\0')).substr(0, size);
  attribute(name, {}, type, type, bytes.data());
  H5Tclose(type);
}

hid_t make_bool_type() {
  const hid_t type = checked(H5Tenum_create(H5T_STD_I8LE));
  signed char value = 0;
  H5Tenum_insert(type, "FALSE", &value);
  value = 1;
  H5Tenum_insert(type, "TRUE", &value);
  return type;
}

}  // namespace outcrop::test
