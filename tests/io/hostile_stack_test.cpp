// A stack with any byte changed gives values or a sentence: no crash, no hang, no memory beyond what is announced.
#include <doctest/doctest.h>
#include <hdf5.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "io/h5_source.hpp"
#include "io/mintpy/stack.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/h5_image.hpp"
#include "tests/support/read_source.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using namespace outcrop::io;

namespace {

constexpr std::int64_t num_pairs = 7;

/// A small stack in chunks with filters, its coherence contiguous.
void build(const std::string& path, bool latest) {
  test::H5Build file(path, latest);
  std::vector<std::string> dates;
  for (int k = 0; k < num_pairs; ++k) {
    dates.push_back("2020010" + std::to_string(k + 1));
    dates.push_back("2020010" + std::to_string(k + 2));
  }
  file.strings("date", {num_pairs, 2}, 8, dates);
  file.floats("bperp", {num_pairs}, std::vector<float>(num_pairs, 3));
  file.bools("dropIfgram", std::vector<signed char>(num_pairs, 1));
  for (const char* name : {"WAVELENGTH", "REF_Y", "REF_X", "LENGTH", "WIDTH"}) {
    file.text_attribute(name, std::string(name) == "LENGTH" ? "23" : std::string(name) == "WIDTH" ? "19" : "0.5");
  }
  test::add_image(file.id(), "unwrapPhase", {.shape = {num_pairs, 23, 19}, .chunk = {2, 8, 8}, .filters = {2, 1, 3}});
  test::add_image(file.id(), "coherence", {.shape = {num_pairs, 23, 19}});
}

/// What a step does with a stack. Anything but an Error escapes.
void read_all(const std::string& path) {
  constexpr std::int64_t budget_bytes = std::int64_t{256} << 20;
  Log log(Verbosity::quiet);
  const auto stack = mintpy::read_stack(path);
  std::vector<std::int64_t> layers;
  for (std::size_t k = 0; k < stack.keep.size(); ++k) {
    if (stack.keep[k]) layers.push_back(static_cast<std::int64_t>(k));
  }
  const auto source =
      make_h5_source({{"phase", path, "unwrapPhase", layers}, {"coherence", path, "coherence", layers}}, {}, log);
  const auto& info = source->describe();
  const TileRect rect{0, 0, std::min<std::int64_t>(info.rows, 23), std::min<std::int64_t>(info.cols, 19)};
  // A plan refuses what does not fit into its memory before any of it is taken.
  if (source->raw_bytes(rect) > budget_bytes || source->scratch_bytes() > budget_bytes) return;
  test::read_tile(*source, rect);
}

struct Outcome {
  int read = 0;
  int refused = 0;
};

Outcome flip_bytes(const std::string& good, const std::string& path, int rounds, unsigned seed) {
  const std::string bytes = test::read_bytes(good);
  std::mt19937 random(seed);
  Outcome outcome;
  for (int round = 0; round < rounds; ++round) {
    std::string bad = bytes;
    for (auto flips = 1 + random() % 3; flips > 0; --flips) {
      // Metadata lie in the first part of the file; half of the flips go there.
      const std::size_t range = random() % 2 == 0 ? std::min<std::size_t>(bad.size(), 4096) : bad.size();
      bad[random() % range] ^= static_cast<char>(1U << random() % 8);
    }
    test::write_bytes(path, bad);
    try {
      read_all(path);
      ++outcome.read;
    } catch (const Error& error) {
      CHECK_MESSAGE(test::contains(error.what(), path), std::string(error.what()));
      CHECK_MESSAGE(error.code() != Errc::internal, std::string(error.what()));
      ++outcome.refused;
    }
  }
  return outcome;
}

}  // namespace

TEST_CASE("a stack with any bytes changed is read or refused by name") {
  const test::TempFolder folder;
  for (const bool latest : {false, true}) {
    CAPTURE(latest);
    build(folder.file("good.h5"), latest);
    read_all(folder.file("good.h5"));
    const auto outcome = flip_bytes(folder.file("good.h5"), folder.file("x.h5"), 500, latest ? 2 : 1);
    CHECK(outcome.read > 50);
    CHECK(outcome.refused > 50);
  }
}

TEST_CASE("a stack cut off at any place is refused by name") {
  const test::TempFolder folder;
  build(folder.file("good.h5"), false);
  const std::string bytes = test::read_bytes(folder.file("good.h5"));
  for (std::size_t size = 0; size < bytes.size(); size += 997) {
    CAPTURE(size);
    test::write_bytes(folder.file("x.h5"), bytes.substr(0, size));
    CHECK(test::contains(test::error_of([&] { read_all(folder.file("x.h5")); }), folder.file("x.h5")));
  }
  test::write_bytes(folder.file("x.h5"), bytes.substr(0, bytes.size() - 1));
  CHECK(test::contains(test::error_of([&] { read_all(folder.file("x.h5")); }), "cut off"));
}
