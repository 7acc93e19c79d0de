// The chunk index against what HDF5 itself says of every chunk.
#include "io/h5/chunk_index.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <chrono>

#include "tests/support/h5_image.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io;
using outcrop::test::ImageSpec;

namespace {

struct Indexed {
  h5::IndexResult result;
  int wrong = 0;  ///< chunks that HDF5 knows otherwise
};

/// Asks HDF5 for each chunk of the grid by its place.
int count_wrong(const h5::Dataset& dataset, const h5::ChunkIndex& index, hsize_t base) {
  int wrong = 0;
  for (std::int64_t number = 0; number < index.grid().num_chunks(); ++number) {
    std::vector<hsize_t> offset;
    const auto place = index.grid().index(number);
    for (std::size_t d = 0; d < place.size(); ++d)
      offset.push_back(static_cast<hsize_t>(place[d] * index.grid().chunk()[d]));
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    H5Dget_chunk_info_by_coord(dataset.id(), offset.data(), &mask, &address, &bytes);
    const h5::StoredChunk* found = index.find(number);
    const bool same = found == nullptr
                          ? address == HADDR_UNDEF
                          : found->address == static_cast<std::int64_t>(address + base) &&
                                found->bytes == static_cast<std::int64_t>(bytes) && found->skipped_filters == mask;
    if (!same) ++wrong;
  }
  return wrong;
}

Indexed index_of(const ImageSpec& spec) {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  test::make_image_file(path, "d", spec);
  const h5::File file = h5::File::open(path);
  const h5::Dataset dataset = h5::Dataset::open(file, "d");
  const auto stored = StoredFile::open(path);
  Indexed indexed{h5::build_chunk_index(dataset, *stored), 0};
  if (!indexed.result.index.needs_library())
    indexed.wrong = count_wrong(dataset, indexed.result.index, spec.user_block);
  return indexed;
}

}  // namespace

TEST_CASE("a tree of several levels is read whole") {
  const auto indexed = index_of({.shape = {40, 60, 50}, .chunk = {2, 4, 5}, .filters = {1}});
  CHECK(indexed.result.way == h5::IndexWay::btree);
  CHECK(indexed.result.index.chunks().size() == 20 * 15 * 10);
  CHECK(indexed.wrong == 0);
}

TEST_CASE("chunks that were never written are not in the index") {
  const auto indexed = index_of({.shape = {10, 101, 67}, .chunk = {4, 32, 32}, .filters = {2, 1}, .missing = 0.5});
  CHECK(indexed.result.index.chunks().size() < 3 * 4 * 3);
  CHECK(indexed.wrong == 0);
  CHECK(index_of({.shape = {10, 101, 67}, .chunk = {4, 32, 32}, .missing = 1.1}).result.index.chunks().empty());
}

TEST_CASE("masks of skipped filters are kept") {
  const auto indexed = index_of({.shape = {101, 67}, .chunk = {32, 32}, .filters = {32000}, .noise = 1});
  CHECK(indexed.result.index.chunks().front().skipped_filters == 1);
  CHECK(indexed.wrong == 0);
}

TEST_CASE("a user block moves all addresses") {
  const auto indexed = index_of({.shape = {9, 40, 40}, .chunk = {1, 16, 16}, .filters = {1}, .user_block = 2048});
  CHECK(indexed.result.way == h5::IndexWay::btree);
  CHECK(indexed.wrong == 0);
}

TEST_CASE("indexes of newer files are had from HDF5") {
  const auto few =
      index_of({.shape = {9, 40, 40}, .chunk = {1, 16, 16}, .filters = {1}, .missing = 0.3, .latest = true});
  CHECK(few.result.way != h5::IndexWay::btree);
  CHECK(few.wrong == 0);
  const auto moved = index_of({.shape = {9, 40, 40}, .chunk = {1, 16, 16}, .latest = true, .user_block = 512});
  CHECK(moved.result.way != h5::IndexWay::btree);
  const auto many =
      index_of({.shape = {100, 50, 60}, .chunk = {1, 5, 6}, .filters = {1}, .missing = 0.3, .latest = true});
  CHECK(many.result.way != h5::IndexWay::btree);
  CHECK(many.wrong == 0);
}

TEST_CASE("thirty thousand chunks are listed at once") {
  const test::TempFolder folder;
  const std::string path = folder.file("x.h5");
  test::make_image_file(path, "d", {.shape = {496, 64, 64}, .chunk = {1, 8, 8}});
  const h5::File file = h5::File::open(path);
  const h5::Dataset dataset = h5::Dataset::open(file, "d");
  const auto stored = StoredFile::open(path);
  const auto start = std::chrono::steady_clock::now();
  const auto result = h5::build_chunk_index(dataset, *stored);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  CHECK(result.index.chunks().size() == 31'744);
  CHECK(result.way == h5::IndexWay::btree);
  MESSAGE("31744 chunks in " << elapsed.count() << " s");
  CHECK(elapsed.count() < 1.0);  // 0.02 s where nothing else runs; asking HDF5 for each took 6.5 s
}

TEST_CASE("a grid numbers its chunks row by row") {
  const ChunkGrid grid({10, 101, 67}, {4, 32, 32});
  CHECK(grid.num_chunks() == 3 * 4 * 3);
  CHECK(grid.number({1, 2, 1}) == 1 * 12 + 2 * 3 + 1);
  CHECK(grid.index(19) == std::vector<std::int64_t>{1, 2, 1});
  CHECK(grid.place(19) == "chunk (1, 2, 1)");
  CHECK_THROWS_AS(ChunkGrid({0, 5}, {1, 5}), Error);
  CHECK_THROWS_AS(ChunkGrid({std::int64_t{1} << 40, std::int64_t{1} << 40}, {1, 5}), Error);
}
