// Which spellings of flags win over the template here and not in MintPy.
#include "tools/outcrop/invert_network/flag_spelling.hpp"

#include <doctest/doctest.h>

#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using tools::flags_win;
using tools::InvertFlags;
using Words = std::vector<std::string>;

namespace {

std::optional<io::mintpy::Template> template_of(const std::string& text) {
  const test::TempFolder folder;
  test::write_bytes(folder.file("a.cfg"), text);
  return io::mintpy::Template::read(folder.file("a.cfg"));
}

InvertFlags threshold(double value) {
  InvertFlags flags;
  flags.mask_threshold = value;
  return flags;
}

}  // namespace

TEST_CASE("a flag that is a word of its own wins in MintPy too") {
  const auto given = template_of("mintpy.networkInversion.maskThreshold = 0.3\n");
  CHECK_FALSE(flags_win(threshold(0.5), given, Words{"outcrop", "--mt", "0.5"}));
  CHECK(flags_win(threshold(0.5), given, Words{"outcrop", "--mt=0.5"}));
  CHECK(flags_win(threshold(0.5), given, Words{"outcrop", "--mask-thr", "0.5"}));
}

TEST_CASE("nothing is different where flag and template agree, or the template is silent") {
  const auto given = template_of("mintpy.networkInversion.maskThreshold = 0.3\n");
  CHECK_FALSE(flags_win(threshold(0.3), given, Words{"--mt=0.3"}));
  CHECK_FALSE(flags_win(threshold(0.5), template_of("a = b\n"), Words{"--mt=0.5"}));
  CHECK_FALSE(flags_win(threshold(0.5), std::nullopt, Words{"--mt=0.5"}));
  CHECK_FALSE(flags_win({}, given, Words{}));
}

TEST_CASE("a template's no does not take a water mask away, another name does") {
  InvertFlags flags;
  flags.water_mask = "w.h5";
  CHECK_FALSE(flags_win(flags, template_of("mintpy.networkInversion.waterMaskFile = no\n"), Words{"-mw.h5"}));
  CHECK(flags_win(flags, template_of("mintpy.networkInversion.waterMaskFile = other.h5\n"), Words{"-mw.h5"}));
}

TEST_CASE("a template at which MintPy stops is another answer") {
  InvertFlags flags;
  flags.weight = "no";
  const auto given = template_of("mintpy.networkInversion.weightFunc = nonsense\n");
  CHECK(flags_win(flags, given, Words{"-wno"}));
  CHECK_FALSE(flags_win(flags, given, Words{"-w", "no"}));
}
