// Template files: comments, auto values, words and expansions.
#include "io/mintpy/template.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"

using outcrop::io::mintpy::auto_value;
using outcrop::io::mintpy::Template;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::TempFolder;

namespace {

Template read(const std::string& text) {
  const TempFolder folder;
  outcrop::test::write_bytes(folder.file("t.cfg"), text);
  return Template::read(folder.file("t.cfg"));
}

}  // namespace

TEST_CASE("lines are split at the first equals sign and lose their comments") {
  const auto t = read(
      "\xef\xbb\xbf"
      "a = 1 = 2\r\n"
      "  b=x # why # more\n"
      "# c = 1\n"
      "% d = 1\n"
      "! e = 1\n"
      "no equals sign\n"
      "f = \n"
      "g = # all comment\n"
      "h = [1, 2]");
  CHECK(t.get("a") == "1 = 2");
  CHECK(t.get("b") == "x");
  for (const char* key : {"c", "d", "e", "f", "g", "no equals sign", "A"}) CHECK_FALSE(t.get(key));
  CHECK(t.get("h") == "[1, 2]");
}

TEST_CASE("later lines win") { CHECK(read("a = 1\na = 2\n").get("a") == "2"); }

TEST_CASE("auto becomes MintPy's default, and only where it is written") {
  const auto t = read(
      "mintpy.networkInversion.weightFunc = auto\n"
      "mintpy.networkInversion.minNormVelocity = auto\n"
      "mintpy.networkInversion.maskDataset = auto\n"
      "mintpy.compute.cluster = auto\n"
      "mintpy.networkInversion.maskThreshold = 0.5\n"
      "unknown.key = auto\n"
      "capital = Auto\n");
  CHECK(t.get("mintpy.networkInversion.weightFunc") == "var");
  CHECK(t.is_auto("mintpy.networkInversion.weightFunc"));
  CHECK(t.get("mintpy.networkInversion.minNormVelocity") == "True");
  CHECK(t.get("mintpy.networkInversion.maskDataset") == "False");
  CHECK(t.get("mintpy.compute.cluster") == "None");
  CHECK(t.get("mintpy.networkInversion.maskThreshold") == "0.5");
  CHECK_FALSE(t.is_auto("mintpy.networkInversion.maskThreshold"));
  CHECK_FALSE(t.get("mintpy.networkInversion.minRedundancy"));
  CHECK_FALSE(t.is_auto("mintpy.networkInversion.minRedundancy"));
  CHECK(t.get("unknown.key") == "auto");
  CHECK(t.get("capital") == "Auto");
}

TEST_CASE("the number of workers depends on the cluster, wherever the lines stand") {
  CHECK(read("mintpy.compute.numWorker = auto\n").get("mintpy.compute.numWorker") == "40");
  CHECK(read("mintpy.compute.numWorker = auto\nmintpy.compute.cluster = local\n").get("mintpy.compute.numWorker") ==
        "4");
  CHECK(read("mintpy.compute.cluster = slurm\nmintpy.compute.numWorker = auto\n").get("mintpy.compute.numWorker") ==
        "40");
  CHECK(read("mintpy.compute.cluster = local\nmintpy.compute.numWorker = 7\n").get("mintpy.compute.numWorker") == "7");
}

TEST_CASE("yes, no and none are words in any case") {
  const auto t = read("a = YES\nb = true\nc = No\nd = FALSE\ne = none\nf = yesterday\n");
  CHECK(t.get("a") == "True");
  CHECK(t.get("b") == "True");
  CHECK(t.get("c") == "False");
  CHECK(t.get("d") == "False");
  CHECK(t.get("e") == "None");
  CHECK(t.get("f") == "yesterday");
}

TEST_CASE("the home folder and variables are expanded, unknown ones stay") {
  ::setenv("HOME", "/home/geo/", 1);
  ::setenv("OUTCROP_TEST_SCENE", "galapagos", 1);
  ::unsetenv("OUTCROP_TEST_ABSENT");
  const auto t = read(
      "a = ~/x\nb = ~\nc = x~\nd = ${OUTCROP_TEST_SCENE}2/$OUTCROP_TEST_SCENE/y\ne = $OUTCROP_TEST_ABSENT/z\n"
      "f = ${OUTCROP_TEST_SCENE\ng = 5$\nh = ~nobody-of-this-name/x\n");
  CHECK(t.get("a") == "/home/geo/x");
  CHECK(t.get("b") == "/home/geo/");
  CHECK(t.get("c") == "x~");
  CHECK(t.get("d") == "galapagos2/galapagos/y");
  CHECK(t.get("e") == "$OUTCROP_TEST_ABSENT/z");
  CHECK(t.get("f") == "${OUTCROP_TEST_SCENE");
  CHECK(t.get("g") == "5$");
  CHECK(t.get("h") == "~nobody-of-this-name/x");
}

TEST_CASE("what is no template is refused by name") {
  const TempFolder folder;
  CHECK(contains(error_of([&] { Template::read(folder.file("absent.cfg")); }), "absent.cfg"));
  CHECK(contains(error_of([&] { Template::read(folder.path().string()); }), "no file"));
  outcrop::test::write_bytes(folder.file("binary.cfg"), std::string("a\0b", 3));
  CHECK(contains(error_of([&] { Template::read(folder.file("binary.cfg")); }), "no text"));
}

TEST_CASE("the table of automatic values can be asked") {
  CHECK(auto_value("mintpy.networkInversion.waterMaskFile") == "waterMask.h5");
  CHECK(auto_value("mintpy.compute.maxMemory") == "4");
  CHECK_FALSE(auto_value("mintpy.nothing"));
}
