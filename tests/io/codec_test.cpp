// Codecs against the byte streams of the libraries that make them.
#include <doctest/doctest.h>
#include <hdf5.h>
#include <libdeflate.h>
#include <liblzf/lzf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "io/codec/codec.hpp"
#include "io/codec/element.hpp"
#include "io/codec/pipeline.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io::codec;
using outcrop::test::contains;
using outcrop::test::error_of;

namespace {

using Bytes = std::vector<std::byte>;

Bytes some_bytes(std::size_t count, unsigned seed, int kinds = 7) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (auto& b : bytes) b = static_cast<std::byte>(static_cast<int>(random() >> 8) % kinds);
  return bytes;
}

Bytes zlib(const Bytes& plain) {
  auto* compressor = libdeflate_alloc_compressor(4);
  Bytes out(libdeflate_zlib_compress_bound(compressor, plain.size()));
  out.resize(libdeflate_zlib_compress(compressor, plain.data(), plain.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

Bytes lzf(const Bytes& plain) {
  Bytes out(plain.size() * 2 + 64);
  out.resize(
      lzf_compress(plain.data(), static_cast<unsigned>(plain.size()), out.data(), static_cast<unsigned>(out.size())));
  return out;
}

Bytes shuffled(const Bytes& plain, std::size_t element) {
  const std::size_t count = plain.size() / element;
  Bytes out = plain;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t b = 0; b < element; ++b) out[b * count + i] = plain[i * element + b];
  }
  return out;
}

/// The only chunk of a dataset of bytes, as HDF5 stores it with one filter.
Bytes stored_by_hdf5(const Bytes& plain, void (*filter)(hid_t creation)) {
  const test::TempFolder folder;
  const hid_t file = H5Fcreate(folder.file("x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t size = plain.size();
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &size);
  filter(creation);
  const hid_t dataset = H5Dcreate2(file, "d", H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Dwrite(dataset, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, plain.data());
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const hsize_t offset = 0;
  hsize_t stored_bytes = 0;
  H5Dget_chunk_storage_size(dataset, &offset, &stored_bytes);
  Bytes stored(stored_bytes);
  std::uint32_t mask = 0;
  H5Dread_chunk(dataset, H5P_DEFAULT, &offset, &mask, stored.data());
  H5Pclose(creation);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return stored;
}

template <class T>
std::vector<float> converted(const Element& element, const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  if (element.big_endian) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i * sizeof(T)),
                   bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * sizeof(T)));
    }
  }
  bytes.insert(bytes.begin(), std::byte{});  // no alignment is needed
  std::vector<float> out(values.size());
  convert(element, bytes.data() + 1, out.data(), static_cast<std::int64_t>(values.size()));
  return out;
}

}  // namespace

TEST_CASE("zlib data expand to what they were, whatever follows them") {
  const Bytes plain = some_bytes(10'000, 1);
  Bytes stored = zlib(plain);
  Bytes out(plain.size());
  CHECK(inflate(stored, out) == 10'000);
  CHECK(out == plain);
  stored.resize(stored.size() + 100);
  CHECK(inflate(stored, out) == 10'000);
  CHECK(stored_by_hdf5(plain, [](hid_t c) { H5Pset_deflate(c, 9); }).size() < plain.size());
  CHECK(inflate(stored_by_hdf5(plain, [](hid_t c) { H5Pset_deflate(c, 9); }), out) == 10'000);
  CHECK(out == plain);
}

TEST_CASE("damaged, cut-off and overlong zlib data are errors") {
  const Bytes plain = some_bytes(10'000, 2);
  const Bytes good = zlib(plain);
  Bytes out(plain.size());
  Bytes bad = good;
  bad[bad.size() / 2] ^= std::byte{0x55};
  CHECK(contains(error_of([&] { inflate(bad, out); }), "damaged"));
  CHECK(contains(error_of([&] { inflate(std::span(good).first(good.size() / 2), out); }), "damaged"));
  CHECK(contains(error_of([&] { inflate({}, out); }), "damaged"));
  out.resize(100);
  CHECK(contains(error_of([&] { inflate(good, out); }), "more than 100 bytes"));
}

TEST_CASE("LZF data expand to what they were") {
  const Bytes plain = some_bytes(10'000, 3);
  const Bytes stored = lzf(plain);
  Bytes out(plain.size() + 4);
  CHECK(expand_lzf(stored, out) == 10'000);
  out.resize(plain.size());
  CHECK(out == plain);
  CHECK(contains(error_of([&] { expand_lzf(std::span(stored).first(stored.size() - 1), out); }), "LZF"));
  CHECK(contains(error_of([&] { expand_lzf({}, out); }), "LZF"));
  out.resize(100);
  CHECK(contains(error_of([&] { expand_lzf(stored, out); }), "more than 100 bytes"));
}

TEST_CASE("unshuffling puts elements of any size together, odd tails included") {
  for (const std::size_t element : {1U, 2U, 3U, 4U, 5U, 8U, 16U}) {
    for (const std::size_t size : {0U, 1U, 7U, 15U, 64U, 1000U, 4099U}) {
      const Bytes plain = some_bytes(size, static_cast<unsigned>(size + element), 256);
      Bytes out(size);
      unshuffle(shuffled(plain, element), out, static_cast<std::int64_t>(element));
      CHECK_MESSAGE(out == plain, "element ", element, " size ", size);
    }
  }
}

TEST_CASE("the checksum is HDF5's, for even and odd sizes") {
  for (const std::size_t size : {1U, 2U, 3U, 719U, 720U, 721U, 722U, 100'001U}) {
    const Bytes plain = some_bytes(size, static_cast<unsigned>(size), 256);
    Bytes stored = stored_by_hdf5(plain, [](hid_t c) { H5Pset_fletcher32(c); });
    REQUIRE(stored.size() == size + 4);
    CHECK(verify_fletcher32(stored).size() == size);
    stored[size / 2] ^= std::byte{1};
    CHECK(contains(error_of([&] { verify_fletcher32(stored); }), "checksum"));
  }
  const Bytes high(2000, std::byte{0xff});
  CHECK(verify_fletcher32(stored_by_hdf5(high, [](hid_t c) { H5Pset_fletcher32(c); })).size() == high.size());
  CHECK(contains(error_of([&] { verify_fletcher32(std::span(high).first(3)); }), "no room"));
}

TEST_CASE("a pipeline undoes its filters from the last to the first and leaves out those that were skipped") {
  const Bytes plain = some_bytes(4096, 5);
  const Pipeline pipeline({{shuffle_filter, {4}}, {deflate_filter, {4}}}, 4096, 4);
  CHECK(pipeline.needs_second());
  Bytes first(static_cast<std::size_t>(pipeline.buffer_bytes()));
  Bytes second = first;
  const auto decoded = [&](const Bytes& stored, std::uint32_t skipped) {
    const auto result = pipeline.decode(stored, skipped, first, second);
    return Bytes(result.begin(), result.end());
  };
  CHECK(decoded(zlib(shuffled(plain, 4)), 0) == plain);
  CHECK(decoded(shuffled(plain, 4), 2) == plain);
  CHECK(decoded(zlib(plain), 1) == plain);
  CHECK(decoded(plain, 3) == plain);
  CHECK(contains(error_of([&] { decoded(zlib(some_bytes(4000, 1)), 0); }),
                 "decodes to 4000 bytes where 4096 are needed"));
  CHECK(contains(error_of([&] { decoded(some_bytes(5000, 1), 2); }), "5000"));
}

TEST_CASE("two compressors and two checksums in one pipeline are undone") {
  const Bytes plain = some_bytes(5000, 6, 256);  // grows when compressed
  const Bytes once = zlib(plain);
  CHECK(once.size() > plain.size());
  const Pipeline pipeline({{deflate_filter, {}}, {lzf_filter, {}}}, 5000, 4);
  Bytes first(static_cast<std::size_t>(pipeline.buffer_bytes()));
  Bytes second = first;
  const auto result = pipeline.decode(lzf(once), 0, first, second);
  CHECK(Bytes(result.begin(), result.end()) == plain);
}

TEST_CASE("numbers of every type and byte order become float32") {
  const auto check = [](ElementKind kind, auto sample) {
    using T = typename decltype(sample)::value_type;
    for (const bool big : {false, true}) {
      std::vector<float> expected;
      for (const T value : sample) expected.push_back(static_cast<float>(value));
      CHECK(converted(Element{kind, sizeof(T), big}, sample) == expected);
    }
  };
  check(ElementKind::floating, std::vector<float>{0.1F, -2.5F, 3e38F});
  check(ElementKind::floating, std::vector<double>{0.1, -2.5, 1e-50, 3.14159265358979});
  check(ElementKind::signed_integer, std::vector<std::int8_t>{-128, -1, 0, 127});
  check(ElementKind::unsigned_integer, std::vector<std::uint8_t>{0, 1, 255});
  check(ElementKind::signed_integer, std::vector<std::int16_t>{-32768, 258, 32767});
  check(ElementKind::unsigned_integer, std::vector<std::uint16_t>{258, 65535});
  check(ElementKind::signed_integer, std::vector<std::int32_t>{-2147483647, 16777217, 5});
  check(ElementKind::unsigned_integer, std::vector<std::uint32_t>{4294967295U, 7});
  check(ElementKind::signed_integer, std::vector<std::int64_t>{-9007199254740993LL, 5});
  check(ElementKind::unsigned_integer, std::vector<std::uint64_t>{18446744073709551615ULL, 5});
  CHECK(std::isinf(converted(Element{ElementKind::floating, 8, false}, std::vector<double>{1e300})[0]));
  CHECK(std::isnan(converted(Element{ElementKind::floating, 8, true},
                             std::vector<double>{std::numeric_limits<double>::quiet_NaN()})[0]));
}

TEST_CASE("half-precision numbers become float32") {
  const auto half = converted(Element{ElementKind::floating, 2, true},
                              std::vector<std::uint16_t>{0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000, 0x7c00, 0xfe00});
  CHECK(half[0] == 1.0F);
  CHECK(half[1] == -2.0F);
  CHECK(half[2] == 65504.0F);
  CHECK(half[3] == std::ldexp(1.0F, -24));
  CHECK(std::signbit(half[4]));
  CHECK(std::isinf(half[5]));
  CHECK(std::isnan(half[6]));
  CHECK_FALSE(is_convertible({ElementKind::floating, 16, false}));
  CHECK_FALSE(is_convertible({ElementKind::signed_integer, 3, false}));
}
