// What invert-network understands from flags and template.
#include "tools/outcrop/invert_network/settings.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using model::WeightFunction;
using test::contains;
using test::error_of;
using tools::InvertFlags;
using tools::InvertSettings;

namespace {

std::optional<io::mintpy::Template> template_of(const std::string& text) {
  const test::TempFolder folder;
  test::write_bytes(folder.file("a.cfg"), text);
  return io::mintpy::Template::read(folder.file("a.cfg"));
}

InvertSettings settings_of(const std::string& text) { return tools::resolve_settings({}, template_of(text)); }

InvertFlags offsets(const std::string& weight) {
  InvertFlags flags;
  flags.dataset = "rangeOffset";
  flags.weight = weight;
  return flags;
}

}  // namespace

TEST_CASE("without anything MintPy's defaults hold") {
  const InvertSettings s = tools::resolve_settings({}, std::nullopt);
  CHECK(s.observation.dataset == "unwrapPhase");
  CHECK(s.weight == WeightFunction::variance);
  CHECK(s.mask_attribute == "None");
  CHECK(s.mask_threshold == 0.4);
  CHECK(s.min_redundancy == 1);
  CHECK(s.min_norm_velocity);
  CHECK_FALSE(s.water_mask);
}

TEST_CASE("the template names the corrected phase") {
  CHECK(settings_of("mintpy.unwrapError.method = auto").observation.dataset == "unwrapPhase");
  CHECK(settings_of("mintpy.unwrapError.method = bridging").observation.dataset == "unwrapPhase_bridging");
  CHECK(settings_of("mintpy.unwrapError.method = phase_closure").observation.dataset == "unwrapPhase_phaseClosure");
  CHECK(settings_of("mintpy.unwrapError.method = bridging + phase_closure").observation.dataset ==
        "unwrapPhase_bridging_phaseClosure");
  const auto text = error_of([] { settings_of("mintpy.unwrapError.method = magic"); });
  CHECK(contains(text, "mintpy.unwrapError.method"));
  CHECK(contains(text, "magic"));
}

TEST_CASE("the weight words of MintPy are understood and kept for the attribute") {
  for (const auto& [word, function] :
       {std::pair("var", WeightFunction::variance), std::pair("Fisher", WeightFunction::fisher),
        std::pair("linear", WeightFunction::coherence), std::pair("sbas", WeightFunction::none)}) {
    const InvertSettings s = settings_of(std::string("mintpy.networkInversion.weightFunc = ") + word);
    CHECK(s.weight == function);
    CHECK(s.weight_word == word);
  }
  CHECK(settings_of("mintpy.networkInversion.weightFunc = no").weight_word == "no");
  CHECK(contains(error_of([] { settings_of("mintpy.networkInversion.weightFunc = heavy"); }), "heavy"));
}

TEST_CASE("offsets are weighted by standard deviation or not at all") {
  CHECK(tools::resolve_settings(offsets("var"), std::nullopt).weight == WeightFunction::deviation);
  CHECK(tools::resolve_settings(offsets("no"), std::nullopt).weight == WeightFunction::none);
  for (const char* word : {"coh", "fim"}) {
    InvertFlags flags = offsets(word);
    const InvertSettings s = tools::resolve_settings(flags, std::nullopt);
    CHECK(s.weight == WeightFunction::none);
    CHECK(s.weight_is_ignored);
    CHECK(s.weight_word == word);
    flags.calc_covariance = true;
    CHECK(contains(error_of([&] { tools::resolve_settings(flags, std::nullopt); }), "--weight-func var or no"));
  }
}

TEST_CASE("a mask is one that MintPy knows, or none by its many names") {
  InvertFlags flags;
  for (const char* name : {"coherence", "connectComponent", "offsetSNR", "rangeOffsetStd", "azimuthOffsetStd"}) {
    flags.mask_dataset = name;
    CHECK(tools::resolve_settings(flags, std::nullopt).mask_dataset == name);
  }
  for (const char* name : {"no", "None", "false"}) {
    flags.mask_dataset = name;
    CHECK(tools::resolve_settings(flags, std::nullopt).mask_dataset.empty());
  }
  CHECK(settings_of("mintpy.networkInversion.maskDataset = no").mask_attribute == "False");
  flags.mask_dataset = "waterMask";
  CHECK(contains(error_of([&] { tools::resolve_settings(flags, std::nullopt); }), "waterMask"));
}

TEST_CASE("flags win over the template") {
  InvertFlags flags;
  flags.mask_threshold = 0.5;
  flags.min_redundancy = 2.5;
  flags.water_mask = "mine.h5";
  const InvertSettings s = tools::resolve_settings(
      flags, template_of("mintpy.networkInversion.maskThreshold = 0.3\nmintpy.networkInversion.minRedundancy = 7\n"
                         "mintpy.networkInversion.waterMaskFile = no\n"));
  CHECK(s.mask_threshold == 0.5);
  CHECK(s.min_redundancy == 2.5);
  CHECK(s.water_mask->path == "mine.h5");
}

TEST_CASE("values that are no numbers are refused with their key") {
  CHECK(
      contains(error_of([] { settings_of("mintpy.networkInversion.maskThreshold = high"); }), "maskThreshold = high"));
  CHECK(contains(error_of([] { settings_of("mintpy.networkInversion.minNormVelocity = maybe"); }), "minNormVelocity"));
  InvertFlags flags;
  flags.min_redundancy = std::nan("");
  CHECK(contains(error_of([&] { tools::resolve_settings(flags, std::nullopt); }), "minRedundancy"));
}

TEST_CASE("memory comes from the template only as a number") {
  CHECK_FALSE(tools::template_memory_gb(template_of("mintpy.compute.maxMemory = auto")));
  CHECK(*tools::template_memory_gb(template_of("mintpy.compute.maxMemory = 2.5")) == 2.5);
  CHECK(contains(error_of([] { tools::template_memory_gb(template_of("mintpy.compute.maxMemory = lots")); }), "lots"));
}
