// What invert-network finds in its inputs, what it refuses and which deviations it counts before the run.
#include "tools/outcrop/invert_network/inputs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/error_text.hpp"
#include "tests/support/said.hpp"
#include "tests/support/stack_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using test::contains;
using test::StackBuild;
using tools::InvertFlags;
using tools::InvertInputs;
namespace deviation = tools::deviation;

namespace {

/// A project folder with inputs/ifgramStack.h5.
struct Project {
  test::TempFolder folder;
  std::string stack = folder.file("inputs/ifgramStack.h5");

  explicit Project(const StackBuild& build, const std::string& name = "ifgramStack.h5") {
    std::filesystem::create_directory(folder.file("inputs"));
    stack = folder.file("inputs/" + name);
    build.write(stack);
  }

  InvertInputs read(const InvertFlags& flags) const {
    Log log(Verbosity::quiet);
    return tools::read_inputs(stack, tools::resolve_settings(flags, std::nullopt), log);
  }
  std::string refusal(const InvertFlags& flags) const {
    return test::error_of([&] { read(flags); });
  }
};

InvertFlags of_dataset(const std::string& name) {
  InvertFlags flags;
  flags.dataset = name;
  return flags;
}

}  // namespace

TEST_CASE("a plain stack is read whole") {
  const InvertInputs in = Project(StackBuild().phases()).read({});
  CHECK(in.num_kept == 3);
  CHECK(in.network.num_dates() == 3);
  CHECK(in.num_looks == 14);
  CHECK(in.reference->row == 0);
  CHECK(in.deviations.empty());
  CHECK_FALSE(in.masks);
}

TEST_CASE("datasets that are missing are refused by name") {
  StackBuild build = StackBuild().phases();
  CHECK(contains(Project(build).refusal(of_dataset("unwrapPhase_bridging")), "unwrapPhase_bridging"));
  build.images.erase("coherence");
  CHECK(contains(Project(build).refusal({}), "no dataset coherence"));
  const Project offsets(StackBuild().offsets());
  CHECK(contains(offsets.refusal({}), "unwrapPhase"));
  build = StackBuild().offsets();
  build.images.erase("rangeOffsetStd");
  CHECK(contains(Project(build).refusal(of_dataset("rangeOffset")), "rangeOffsetStd"));
  InvertFlags unweighted = of_dataset("rangeOffset");
  unweighted.weight = "no";
  CHECK(Project(build).refusal(unweighted).empty());
}

TEST_CASE("an observation of whole numbers is refused") {
  StackBuild build = StackBuild().phases();
  build.integer_images["unwrapPhase_bridging"] = build.all(2);
  CHECK(contains(Project(build).refusal(of_dataset("unwrapPhase_bridging")), "holds integers"));
}

TEST_CASE("looks are taken from NCORRLOOKS in any form, or from both multilook numbers") {
  StackBuild build = StackBuild().phases();
  build.attributes["NCORRLOOKS"] = " 2.5e1 ";
  CHECK(Project(build).read({}).num_looks == 25);
  build.attributes["NCORRLOOKS"] = "0.2";
  CHECK(Project(build).read({}).num_looks == 1);
  build.attributes["NCORRLOOKS"] = "many";
  CHECK(contains(Project(build).refusal({}), "NCORRLOOKS"));
  build.attributes.erase("NCORRLOOKS");
  build.attributes.erase("ALOOKS");
  CHECK(contains(Project(build).refusal({}), "NCORRLOOKS"));
  InvertFlags coherence;
  coherence.weight = "coh";
  CHECK(Project(build).refusal(coherence).empty());
}

TEST_CASE("offsets need no reference pixel, phases do") {
  StackBuild build = StackBuild().offsets().phases();
  build.attributes.erase("REF_Y");
  const Project project(build);
  CHECK_FALSE(project.read(of_dataset("rangeOffset")).reference);
  CHECK(contains(project.refusal({}), "No REF_X/Y found!"));
  build.attributes["REF_Y"] = "2";
  CHECK(contains(Project(build).refusal({}), "outside the image of 2 x 3"));
}

TEST_CASE("a pair of a date with itself is left out and counted") {
  StackBuild build = StackBuild();
  build.pairs.push_back({"20200113", "20200113"});
  const InvertInputs in = Project(build.phases()).read({});
  CHECK(in.layers == std::vector<std::int64_t>{0, 1, 2});
  CHECK(in.num_kept == 4);
  CHECK(in.deviations == tools::DeviationCounts{{deviation::self_pairs, 1}});
  build.keep = {0, 0, 0, 1};
  CHECK(contains(Project(build).refusal({}), "joins two dates"));
}

TEST_CASE("one pair is enough, none is not") {
  StackBuild build = StackBuild().phases();
  build.keep = {0, 1, 0};
  CHECK(Project(build).read({}).deviations == tools::DeviationCounts{{deviation::single_pair, 1}});
  build.keep = {0, 0, 0};
  CHECK(contains(Project(build).refusal({}), "dropIfgram"));
}

TEST_CASE("pairs that share a later date have right baselines, and MintPy's when asked for") {
  StackBuild build;
  build.pairs = {{"20200113", "20200101"}, {"20200113", "20200125"}};
  build.bperp = {-30, 50};
  const Project project(build.phases());
  const InvertInputs right = project.read({});
  CHECK(right.bperp_m == std::vector<double>{0, 30, 80});
  CHECK(right.removed_date == 0);
  CHECK(right.deviations == tools::DeviationCounts{{deviation::shared_later_date, 1}});
  InvertFlags compat;
  compat.mintpy_compat = true;
  const InvertInputs as_mintpy = project.read(compat);
  CHECK(as_mintpy.bperp_m == std::vector<double>{0, -30, 50});
  CHECK(as_mintpy.removed_date == 1);
  CHECK(as_mintpy.deviations.empty());
}

TEST_CASE("a mask dataset that is absent is refused, and masks nothing as in MintPy when asked for") {
  const Project project(StackBuild().phases());
  InvertFlags flags;
  flags.mask_dataset = "connectComponent";
  CHECK(contains(project.refusal(flags), "connectComponent"));
  flags.mintpy_compat = true;
  const auto said = test::said_by([&] { CHECK_FALSE(project.read(flags).masks); });
  CHECK(contains(said, "nothing is masked"));
  flags.mask_dataset = "coherence";
  CHECK(project.read(flags).masks);
}

TEST_CASE("a weight of coherence for offsets is ignored with a warning") {
  const Project project(StackBuild().offsets());
  InvertFlags flags = of_dataset("azimuthOffset");
  flags.weight = "coh";
  CHECK(contains(test::said_by([&] { project.read(flags); }), "they are not weighted"));
}

TEST_CASE("a water mask must be there and fit") {
  const Project project(StackBuild().phases());
  InvertFlags flags;
  flags.water_mask = project.folder.file("waterMask.h5");
  CHECK(contains(project.refusal(flags), "is not there"));
  test::write_map(*flags.water_mask, "waterMask", 3, 3, std::vector<float>(9, 1));
  CHECK(contains(project.refusal(flags), "3 x 3"));
  test::write_map(*flags.water_mask, "mask", 2, 3, std::vector<float>(6, 1));
  CHECK(project.read(flags).water_mask->dataset == "mask");
}

TEST_CASE("the implicit quality map is that of the observation") {
  StackBuild build = StackBuild().offsets().phases();
  const Project project(build);
  for (const char* name : {"avgSpatialCoh.h5", "avgSpatialSNR.h5", "avgSpatialCohIon.h5"}) {
    test::write_map(project.folder.file(name), "mask", 2, 3, std::vector<float>(6, 1));
  }
  CHECK(contains(project.read({}).quality->path, "avgSpatialCoh.h5"));
  CHECK(contains(project.read(of_dataset("rangeOffset")).quality->path, "avgSpatialSNR.h5"));
  const Project ion(build, "ionStack.h5");
  test::write_map(ion.folder.file("avgSpatialCohIon.h5"), "mask", 1, 3, std::vector<float>(3, 1));
  const auto said = test::said_by([&] { CHECK_FALSE(ion.read({}).quality); });
  CHECK(contains(said, "avgSpatialCohIon.h5 is ignored"));
}

TEST_CASE("the covariance is relative to the date of smallbaselineApp.cfg") {
  const Project project(StackBuild().phases());
  const std::string config = project.folder.file("smallbaselineApp.cfg");
  InvertFlags flags;
  flags.calc_covariance = true;
  CHECK(contains(project.refusal(flags), "which is not there"));
  test::write_bytes(config, "mintpy.reference.date = no\n");
  CHECK(contains(project.refusal(flags), "needs a reference date"));
  test::write_bytes(config, "mintpy.reference.date = 20200125\n");
  CHECK(project.read(flags).covariance_date == 2);
  test::write_bytes(config, "mintpy.reference.date = 20200126\n");
  CHECK(contains(project.refusal(flags), "20200126"));
  const std::string list = project.folder.file("reference_date.txt");
  test::write_bytes(config, "mintpy.reference.date = " + list + "\n");
  CHECK(contains(project.refusal(flags), "reference_date.txt"));
  test::write_bytes(list, "20200113\n");
  CHECK(project.read(flags).covariance_date == 1);
  flags.weight = "no";
  CHECK(project.read(flags).num_looks == 14);
}

TEST_CASE("the covariance of offsets is a deviation unless MintPy's is asked for") {
  const Project project(StackBuild().offsets());
  test::write_bytes(project.folder.file("smallbaselineApp.cfg"), "mintpy.reference.date = 20200101\n");
  InvertFlags flags = of_dataset("rangeOffset");
  flags.calc_covariance = true;
  CHECK(project.read(flags).deviations == tools::DeviationCounts{{deviation::squared_offset_factor, 1}});
  flags.mintpy_compat = true;
  CHECK(project.read(flags).deviations.empty());
}

TEST_CASE("every deviation that is counted has a row in the table") {
  const auto table = tools::invert_network_deviations();
  for (const char* name :
       {deviation::shared_later_date, deviation::no_reference_data, deviation::infinite_phase,
        deviation::infinite_offset, deviation::self_pairs, deviation::single_pair, deviation::whole_image_median,
        deviation::squared_offset_factor, deviation::geocoded_azimuth, deviation::flags_win}) {
    CHECK(std::count_if(table.begin(), table.end(), [&](const auto& row) { return std::string(row.name) == name; }) ==
          1);
  }
  CHECK(table.size() == 10);
}
