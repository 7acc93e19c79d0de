// Stacks and maps: what a good one holds, and the sentence for each that contradicts itself.
#include "io/mintpy/stack.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "io/h5/file.hpp"
#include "io/mintpy/date_text.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop::io::mintpy;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

const std::vector<std::string> three_pairs = {"20200101", "20200102", "20200102", "20200103", "20200101", "20200103"};

/// Which parts of the stack a test makes itself.
struct Parts {
  bool date = true;
  bool phase = true;
};

void build_stack(H5Build& file, const Parts& parts = {}) {
  if (parts.date) file.strings("date", {3, 2}, 8, three_pairs);
  if (parts.phase) file.floats("unwrapPhase", {3, 4, 5}, std::vector<float>(60, 1));
}

/// What read_stack says about a stack to which `add` has added.
std::string refusal(const Parts& parts, const std::function<void(H5Build&)>& add) {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  {
    H5Build file(path);
    build_stack(file, parts);
    add(file);
  }
  auto text = error_of([&] { read_stack(path); });
  CHECK(contains(text, path));
  return text;
}

}  // namespace

TEST_CASE("a whole stack is read as it is in the file") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  {
    H5Build file(path);
    build_stack(file);
    file.bools("dropIfgram", {1, 0, 1});
    file.floats("bperp", {3}, {10, -20.5F, 0});
    file.floats("coherence", {3, 4, 5}, std::vector<float>(60, 0.5F));
    file.dataset("connectComponent", {3, 4, 5}, H5T_STD_I16LE, H5T_NATIVE_FLOAT, nullptr);
    file.floats("mask", {4, 5}, std::vector<float>(20, 1));
    file.floats("other", {2, 4, 5}, std::vector<float>(40, 1));
    file.floats("thumbnail", {2, 2}, {1, 2, 3, 4});
    file.text_attribute("LENGTH", "4");
    file.fixed_attribute("WIDTH", "5", 4, H5T_STR_NULLPAD);
    file.text_attribute("MODIFICATION_TIME", "1600000000.0", "/unwrapPhase");
  }
  const auto stack = read_stack(path);
  CHECK(stack.path == path);
  CHECK(stack.rows == 4);
  CHECK(stack.cols == 5);
  REQUIRE(stack.dates.size() == 3);
  CHECK(stack.dates[1] == std::array<std::string, 2>{"20200102", "20200103"});
  CHECK(stack.keep == std::vector<bool>{true, false, true});
  CHECK(stack.bperp_m == std::vector<double>{10, -20.5, 0});
  CHECK(stack.images.size() == 4);
  REQUIRE(stack.find("connectComponent") != nullptr);
  CHECK(stack.find("connectComponent")->integers);
  CHECK_FALSE(stack.find("coherence")->integers);
  CHECK(stack.find("mask")->layers == 0);
  CHECK(stack.find("unwrapPhase")->layers == 3);
  CHECK(stack.find("unwrapPhase")->modification_time == "1600000000.0");
  CHECK(stack.find("other") == nullptr);
  CHECK(stack.find("thumbnail") == nullptr);
}

TEST_CASE("a stack without dropIfgram and bperp keeps all pairs") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  {
    H5Build file(path);
    build_stack(file);
  }
  const auto stack = read_stack(path);
  CHECK(stack.keep == std::vector<bool>{true, true, true});
  CHECK(stack.bperp_m.empty());
}

TEST_CASE("dropIfgram may be stored as integers: not zero keeps") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  {
    H5Build file(path);
    build_stack(file);
    const std::vector<int> flags = {0, 1, 2};
    file.dataset("dropIfgram", {3}, H5T_STD_U8LE, H5T_NATIVE_INT, flags.data());
  }
  CHECK(read_stack(path).keep == std::vector<bool>{false, true, true});
}

TEST_CASE("sizes that contradict each other are named together") {
  auto text = refusal({}, [](H5Build& file) { file.text_attribute("LENGTH", "7"); });
  CHECK(contains(text, "LENGTH is 7, but dataset unwrapPhase is [3, 4, 5]"));
  text = refusal({}, [](H5Build& file) { file.text_attribute("WIDTH", "wide"); });
  CHECK(contains(text, "WIDTH is 'wide'"));
  text = refusal({}, [](H5Build& file) { file.floats("bperp", {2}, {1, 2}); });
  CHECK(contains(text, "bperp is [2], but date has 3 pairs"));
  text = refusal({}, [](H5Build& file) { file.bools("dropIfgram", {1, 1, 1, 1}); });
  CHECK(contains(text, "dropIfgram is [4], but date has 3 pairs"));
  text = refusal({}, [](H5Build& file) { file.floats("coherence", {2, 4, 5}, std::vector<float>(40)); });
  CHECK(contains(text, "coherence is [2, 4, 5], but date has 3 pairs"));
}

TEST_CASE("a stack without dates, or with dates that are none, is refused with the row") {
  CHECK(contains(refusal({false, true}, [](H5Build&) {}), "no dataset date"));
  auto text = refusal({false, true}, [](H5Build& file) { file.strings("date", {6}, 8, three_pairs); });
  CHECK(contains(text, "date is [6], not [pairs, 2]"));
  auto dates = three_pairs;
  dates[3] = "20200230";
  text = refusal({false, true}, [&](H5Build& file) { file.strings("date", {3, 2}, 8, dates); });
  CHECK(contains(text, "row 1 (from 0) is '20200230'"));
  dates[3] = "20200103T0600";
  text = refusal({false, true}, [&](H5Build& file) { file.strings("date", {3, 2}, 13, dates); });
  CHECK(contains(text, "row 1"));
  CHECK(contains(text, "one form"));
  text = refusal({false, true}, [](H5Build& file) { file.floats("date", {3, 2}, std::vector<float>(6)); });
  CHECK(contains(text, "not text"));
}

TEST_CASE("a date dataset that claims a thousand million rows is refused without taking memory") {
  const auto text = refusal({false, true}, [](H5Build& file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk = {1000, 2};
    H5Pset_chunk(creation, 2, chunk.data());
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 8);
    file.dataset("date", {1000000000, 2}, type, type, nullptr, creation);
    H5Tclose(type);
    H5Pclose(creation);
  });
  CHECK(contains(text, "1000000000 x 2"));
}

TEST_CASE("dates may carry the time of day") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  {
    H5Build file(path);
    build_stack(file, {false, true});
    file.strings(
        "date", {3, 2}, 13,
        {"20200101T0600", "20200101T1800", "20200101T1800", "20200102T0600", "20200101T0600", "20200102T0600"});
  }
  CHECK(read_stack(path).dates[0][1] == "20200101T1800");
}

TEST_CASE("what is no stack is named for what it is") {
  CHECK(contains(refusal({true, false}, [](H5Build& file) { file.text_attribute("FILE_TYPE", "mask"); }),
                 "a file of the kind mask"));
  CHECK(contains(refusal({true, false}, [](H5Build&) {}), "of no known kind"));
  CHECK(contains(refusal({true, false}, [](H5Build& file) { file.text_attribute("FILE_TYPE", "ifgramStack"); }),
                 "no observation"));
  CHECK(contains(refusal({true, false},
                         [](H5Build& file) {
                           file.floats("timeseries", {1, 1, 1}, {1});
                         }),
                 "a file of the kind timeseries"));
}

TEST_CASE("root datasets decide the kind of a file before its attribute") {
  const TempFolder folder;
  const auto path = folder.file("g.h5");
  {
    H5Build file(path);
    file.floats("height", {2, 2}, {1, 2, 3, 4});
    file.text_attribute("FILE_TYPE", "timeseries");
  }
  const auto file = outcrop::io::h5::File::open(path);
  CHECK(file_type(file, outcrop::io::h5::read_attributes(file)) == "geometry");
}

TEST_CASE("a map is found by name, or as the first of two dimensions") {
  const TempFolder folder;
  const auto path = folder.file("waterMask.h5");
  {
    H5Build file(path);
    file.floats("a", {3}, {1, 2, 3});
    file.floats("b", {1, 2}, {1, 2});
    file.floats("waterMask", {2, 1}, {1, 2});
  }
  const auto named = read_map_header(path, {"waterMask", "mask"});
  CHECK(named.dataset == "waterMask");
  CHECK(named.rows == 2);
  CHECK(named.cols == 1);
  CHECK(read_map_header(path, {}).dataset == "b");
  CHECK(contains(error_of([&] { read_map_header(path, {"mask", "land"}); }), "no dataset mask or land"));
  CHECK(contains(error_of([&] { read_map_header(path, {"a"}); }), "a is [3], not a map"));
}

TEST_CASE("only days that the calendar has are dates") {
  for (const char* good : {"20200229", "20191231", "20200101T2359", "20200101T235959"}) CHECK(is_date(good));
  for (const char* bad :
       {"", "2020010", "20200100", "20200001", "20201301", "20190229", "200101", "2020-01-01", "20200101 0600",
        "20200101T2400", "20200101T0060", "20200101T060060", "2020010a", "20200101T06"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_date(bad));
  }
}
