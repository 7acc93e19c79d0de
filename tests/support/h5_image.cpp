// Calls HDF5 directly; its own reading is the judge of ours.
#include "tests/support/h5_image.hpp"

#include <liblzf/lzf.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace outcrop::test {
namespace {

constexpr H5Z_filter_t lzf_id = 32000;
constexpr H5Z_filter_t nobodys_id = 32099;

template <class T>
T checked(T result) {
  if (result < 0) throw std::runtime_error("HDF5 refused to make or read a test file");
  return result;
}

/// The size of a chunk, as h5py stores it in the filter's parameters.
herr_t set_lzf_parameters(hid_t creation, hid_t type, hid_t) {
  std::vector<hsize_t> chunk(8);
  const int rank = H5Pget_chunk(creation, 8, chunk.data());
  unsigned bytes = static_cast<unsigned>(H5Tget_size(type));
  for (int d = 0; d < rank; ++d) bytes *= static_cast<unsigned>(chunk[static_cast<std::size_t>(d)]);
  const unsigned parameters[] = {4, 261, bytes};
  return H5Pmodify_filter(creation, lzf_id, H5Z_FLAG_OPTIONAL, 3, parameters);
}

/// Gives 0, "not applied", for data that do not become shorter: such chunks are stored as they are.
std::size_t lzf(unsigned flags, std::size_t, const unsigned parameters[], std::size_t bytes, std::size_t* room,
                void** data) {
  const bool reading = (flags & H5Z_FLAG_REVERSE) != 0;
  const std::size_t size = reading ? parameters[2] + std::size_t{64} : bytes;
  void* out = std::malloc(size);
  const unsigned done = reading ? lzf_decompress(*data, static_cast<unsigned>(bytes), out, static_cast<unsigned>(size))
                                : lzf_compress(*data, static_cast<unsigned>(bytes), out, static_cast<unsigned>(size));
  if (done == 0) {
    std::free(out);
    return 0;
  }
  std::free(*data);
  *data = out;
  *room = size;
  return done;
}

std::size_t nobodys(unsigned, std::size_t, const unsigned[], std::size_t bytes, std::size_t*, void**) { return bytes; }

hid_t make_creation(const ImageSpec& spec) {
  const hid_t creation = checked(H5Pcreate(H5P_DATASET_CREATE));
  if (spec.compact) checked(H5Pset_layout(creation, H5D_COMPACT));
  if (!spec.chunk.empty()) checked(H5Pset_chunk(creation, static_cast<int>(spec.chunk.size()), spec.chunk.data()));
  for (const int filter : spec.filters) {
    if (filter == H5Z_FILTER_DEFLATE) checked(H5Pset_deflate(creation, 4));
    if (filter == H5Z_FILTER_SHUFFLE) checked(H5Pset_shuffle(creation));
    if (filter == H5Z_FILTER_FLETCHER32) checked(H5Pset_fletcher32(creation));
    if (filter == lzf_id) checked(H5Pset_filter(creation, lzf_id, H5Z_FLAG_OPTIONAL, 0, nullptr));
    if (filter == nobodys_id) checked(H5Pset_filter(creation, nobodys_id, H5Z_FLAG_MANDATORY, 0, nullptr));
    if (filter == H5Z_FILTER_NBIT) checked(H5Pset_nbit(creation));
  }
  if (spec.fill_value) checked(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &*spec.fill_value));
  return creation;
}

class Values {
 public:
  Values(const ImageSpec& spec)
      : floating_(H5Tget_class(spec.type) == H5T_FLOAT), noise_(spec.noise), random_(spec.seed) {}

  double next() {
    const double draw = uniform_(random_);
    smooth_ += 0.01;
    if (!floating_) return std::floor(draw < noise_ ? 127 * uniform_(random_) : 60 + 50 * std::sin(smooth_));
    if (draw < 0.02) return std::numeric_limits<double>::quiet_NaN();
    return draw < noise_ ? 20 * uniform_(random_) - 10 : static_cast<double>(static_cast<int>(8 * std::sin(smooth_)));
  }

  bool happens(double share) { return uniform_(random_) < share; }

 private:
  bool floating_;
  double noise_;
  double smooth_ = 0;
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

/// Writes a box of values.
void write_box(hid_t dataset, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, Values& values) {
  hsize_t elements = 1;
  for (const hsize_t n : count) elements *= n;
  std::vector<double> box(elements);
  for (double& value : box) value = values.next();
  const hid_t space = checked(H5Dget_space(dataset));
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  const hid_t memory = checked(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, box.data()));
  H5Sclose(memory);
  H5Sclose(space);
}

/// Box by box, chunk by chunk, leaving some out.
void write_values(hid_t dataset, const ImageSpec& spec, Values& values) {
  const std::vector<hsize_t>& step = spec.chunk.empty() ? spec.shape : spec.chunk;
  std::vector<hsize_t> start(spec.shape.size(), 0);
  while (true) {
    std::vector<hsize_t> count;
    for (std::size_t d = 0; d < start.size(); ++d) count.push_back(std::min(step[d], spec.shape[d] - start[d]));
    if (!values.happens(spec.missing)) write_box(dataset, start, count, values);
    std::size_t d = start.size();
    while (d > 0 && (start[d - 1] += step[d - 1]) >= spec.shape[d - 1]) start[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace

ForeignFilters::ForeignFilters() {
  const H5Z_class2_t h5py = {H5Z_CLASS_T_VERS, lzf_id, 1, 1, "lzf", nullptr, set_lzf_parameters, lzf};
  const H5Z_class2_t other = {H5Z_CLASS_T_VERS, nobodys_id, 1, 1, "nobodys", nullptr, nullptr, nobodys};
  checked(H5Zregister(&h5py));
  checked(H5Zregister(&other));
}

ForeignFilters::~ForeignFilters() {
  H5Zunregister(lzf_id);
  H5Zunregister(nobodys_id);
}

std::vector<float> make_image_file(const std::string& path, const std::string& name, const ImageSpec& spec) {
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS));
  const hid_t creation = checked(H5Pcreate(H5P_FILE_CREATE));
  if (spec.latest) checked(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  checked(H5Pset_userblock(creation, spec.user_block));
  const hid_t file = checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access));
  auto values = add_image(file, name, spec);
  H5Fclose(file);
  H5Pclose(creation);
  H5Pclose(access);
  return values;
}

std::vector<float> add_image(hid_t file, const std::string& name, const ImageSpec& spec) {
  const ForeignFilters filters;
  const hid_t creation = make_creation(spec);
  const hid_t space = checked(H5Screate_simple(static_cast<int>(spec.shape.size()), spec.shape.data(), nullptr));
  const hid_t dataset = checked(H5Dcreate2(file, name.c_str(), spec.type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  Values values(spec);
  write_values(dataset, spec, values);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL));
  std::vector<float> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  checked(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
  return all;
}

std::vector<float> cut(const std::vector<float>& all, std::int64_t rows, std::int64_t cols,
                       const std::vector<std::int64_t>& layers, const TileRect& rect) {
  std::vector<float> part;
  for (const std::int64_t layer : layers) {
    for (std::int64_t r = rect.row; r < rect.row + rect.rows; ++r) {
      const auto row = all.begin() + (layer * rows + r) * cols;
      part.insert(part.end(), row + rect.col, row + rect.col + rect.cols);
    }
  }
  return part;
}

std::int64_t differences(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<std::int64_t>::max();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = std::isnan(a[i]) ? std::isnan(b[i]) : a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i]);
    if (!same) ++count;
  }
  return count;
}

}  // namespace outcrop::test
