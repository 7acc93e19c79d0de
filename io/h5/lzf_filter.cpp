// The filter's callback: C from the library's side, so no exception leaves it.
#include "io/h5/lzf_filter.hpp"

#include <hdf5.h>

#include <cstddef>
#include <span>

#include "core/error.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::h5 {
namespace {

/// No LZF data expand by more: three bytes stand for at most 264.
constexpr std::size_t largest_growth = 88;

/// Bytes of the plain chunk, which h5py notes as the third parameter.
std::size_t plain_size(std::size_t num_parameters, const unsigned* parameters, std::size_t stored_bytes) {
  const std::size_t most = largest_growth * stored_bytes;
  const std::size_t noted = num_parameters > 2 ? parameters[2] : 0;
  return noted > 0 && noted < most ? noted : most;
}

/// Expands into new memory and gives it in exchange. Gives: bytes; 0 for data that are damaged, and where the library
/// wants to compress: our sinks compress themselves and hand it whole chunks.
std::size_t expand(unsigned flags, std::size_t num_parameters, const unsigned* parameters, std::size_t stored_bytes,
                   std::size_t* size, void** buffer) {
  const std::size_t room = plain_size(num_parameters, parameters, stored_bytes);
  if ((flags & H5Z_FLAG_REVERSE) == 0 || room == 0) return 0;
  void* const plain = H5allocate_memory(room, false);
  if (plain == nullptr) return 0;
  try {
    const auto bytes = codec::expand_lzf({static_cast<const std::byte*>(*buffer), stored_bytes},
                                         {static_cast<std::byte*>(plain), room});
    H5free_memory(*buffer);
    *buffer = plain;
    *size = room;
    return static_cast<std::size_t>(bytes);
  } catch (...) {
    H5free_memory(plain);
    return 0;
  }
}

}  // namespace

void register_lzf_filter() {
  // An encoder that is not there would forbid datasets with this filter to be made.
  static constexpr H5Z_class2_t filter = {H5Z_CLASS_T_VERS, codec::lzf_filter, 1, 1, "lzf", nullptr, nullptr, &expand};
  H5Zregister(&filter);
}

}  // namespace outcrop::io::h5
