// Names, datasets and attributes of the products of invert-network, and what makes them out of date.
#include "tools/outcrop/invert_network/products.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/error_text.hpp"
#include "tests/support/stack_build.hpp"
#include "tests/support/temp_folder.hpp"
#include "tools/outcrop/invert_network/setup.hpp"
#include "tools/outcrop/invert_network/update.hpp"

using namespace outcrop;
using test::contains;
using test::StackBuild;
using tools::InvertFlags;

namespace {

struct Project {
  test::TempFolder folder;
  std::string stack;

  explicit Project(const StackBuild& build, const std::string& name = "ifgramStack.h5") {
    std::filesystem::create_directory(folder.file("inputs"));
    stack = folder.file("inputs/" + name);
    build.write(stack);
    test::write_bytes(folder.file("smallbaselineApp.cfg"), "mintpy.reference.date = 20200113\n");
  }
};

/// All that leads to the products, with default names in the project's folder.
struct Prepared {
  InvertFlags flags;
  tools::InvertSettings settings;
  tools::InvertInputs inputs;
  tools::ProductNames names;

  Prepared(const Project& project, const InvertFlags& given) : flags(given) {
    Log log(Verbosity::quiet);
    settings = tools::resolve_settings(flags, std::nullopt);
    inputs = tools::read_inputs(project.stack, settings, log);
    names = tools::product_names(flags, settings, inputs, project.folder.path().string());
  }
};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename(); }

std::vector<std::string> names_of(const Project& project, const InvertFlags& flags) {
  std::vector<std::string> names;
  for (const auto& name : Prepared(project, flags).names.all()) names.push_back(file_name(name));
  return names;
}

InvertFlags of_dataset(const std::string& name) {
  InvertFlags flags;
  flags.dataset = name;
  return flags;
}

const io::OutputFile& file_called(const std::vector<io::OutputFile>& files, const std::string& name) {
  for (const auto& file : files) {
    if (file_name(file.path) == name) return file;
  }
  FAIL("no product " << name);
  return files.front();
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("products are named after what was observed") {
  const StackBuild build = StackBuild().offsets().phases();
  const Project project(build);
  CHECK(names_of(project, {}) == Names{"timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5"});
  CHECK(names_of(project, of_dataset("rangeOffset")) == Names{"timeseriesRg.h5", "residualInvRg.h5", "numInvOffRg.h5"});
  CHECK(names_of(project, of_dataset("azimuthOffset")) ==
        Names{"timeseriesAz.h5", "residualInvAz.h5", "numInvOffAz.h5"});
  CHECK(names_of(Project(build, "ionStack.h5"), {}) == Names{"ion.h5", "temporalCoherenceIon.h5", "numInvIon.h5"});
}

TEST_CASE("the covariance is named after the series") {
  const Project project(StackBuild().offsets().phases());
  InvertFlags flags;
  flags.calc_covariance = true;
  CHECK(names_of(project, flags).back() == "timeseriesDecorCov.h5");
  flags.outputs = {"a/b.c.h5", "t.h5", "n.h5"};
  CHECK(Prepared(project, flags).names.covariance == "a/b.cDecorCov.h5");
  flags.outputs.clear();
  flags.dataset = "rangeOffset";
  CHECK(names_of(project, flags).back() == "timeseriesRgCov.h5");
}

TEST_CASE("an observation without usual names needs given ones, and all names differ") {
  StackBuild build = StackBuild().phases();
  build.images["ionPhase"] = build.all(1);
  const Project project(build);
  InvertFlags flags = of_dataset("ionPhase");
  CHECK(contains(test::error_of([&] { names_of(project, flags); }), "-o"));
  flags.outputs = {"a.h5", "b.h5", "./a.h5"};
  CHECK(contains(test::error_of([&] { names_of(project, flags); }), "three names"));
  flags.outputs = {"a.h5", "b.h5", "c.nc"};
  CHECK(contains(test::error_of([&] { names_of(project, flags); }), "c.nc"));
  flags.outputs = {"a.h5", "b.h5", project.stack};
  CHECK(contains(test::error_of([&] { names_of(project, flags); }), "would replace the input"));
  flags.outputs = {"a.h5", "b.h5", "c.h5"};
  flags.status_file = "b.h5";
  CHECK(contains(test::error_of([&] { names_of(project, flags); }), "--status-file"));
}

TEST_CASE("files of offsets say residual and pixel") {
  const Project project(StackBuild().offsets());
  const Prepared prepared(project, of_dataset("rangeOffset"));
  const auto files = tools::products(prepared.names, prepared.settings, prepared.inputs);
  REQUIRE(files.size() == 3);
  CHECK(file_name(files.back().path) == "timeseriesRg.h5");
  const auto& quality = file_called(files, "residualInvRg.h5");
  CHECK(quality.attributes.get("FILE_TYPE") == "residual");
  CHECK(quality.attributes.get("UNIT") == "pixel");
  CHECK(quality.tiled[0].name == "residual");
  CHECK(files.back().attributes.get("UNIT") == "m");
  CHECK(files.back().attributes.get("mintpy.networkInversion.obsDatasetName") == "rangeOffset");
}

TEST_CASE("covariance and status are files of their own, before the series") {
  const Project project(StackBuild().phases());
  InvertFlags flags;
  flags.calc_covariance = true;
  flags.status_file = project.folder.file("status.h5");
  const Prepared prepared(project, flags);
  const auto files = tools::products(prepared.names, prepared.settings, prepared.inputs);
  CHECK(file_name(files.back().path) == "timeseries.h5");
  const auto& covariance = file_called(files, "timeseriesDecorCov.h5");
  CHECK(covariance.attributes.get("REF_DATE") == "20200113");
  CHECK(covariance.tiled[0].leading == std::vector<std::int64_t>{3, 3});
  const auto& status = file_called(files, "status.h5");
  CHECK(status.tiled[0].name == "status");
  CHECK(status.tiled[1].name == "numIslands");
  CHECK_FALSE(status.attributes.get("REF_DATE"));
}

TEST_CASE("offsets are up to date until what they depend on changes") {
  const Project project(StackBuild().offsets());
  InvertFlags flags = of_dataset("rangeOffset");
  const auto reason = [&] {
    const Prepared now(project, flags);
    return tools::reason_to_run(now.names, now.settings, now.inputs);
  };
  CHECK(contains(*reason(), "is not there"));
  {
    Log log(Verbosity::quiet);
    const Prepared prepared(project, flags);
    const auto setup = tools::make_setup(prepared.settings, prepared.inputs, prepared.names, {}, log);
    setup.sink->begin();
    setup.sink->commit({});
  }
  CHECK_FALSE(reason());
  flags.weight = "no";
  CHECK(contains(*reason(), "weightFunc"));
  flags.weight.reset();
  flags.mintpy_compat = true;
  CHECK(contains(*reason(), "mintpy-compat"));
  flags.mintpy_compat = false;
  flags.status_file = project.folder.file("status.h5");
  CHECK(contains(*reason(), "status.h5 is not there"));
}
