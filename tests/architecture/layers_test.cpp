// Tests that the rooms include only what the architecture allows, and that the checker finds planted violations.
#include "tests/architecture/layers.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/architecture/sources.hpp"

using outcrop::architecture::check_includes;

namespace {

bool refuses(const std::string& path, const std::string& line) { return check_includes(path, line + "\n").size() == 1; }

bool accepts(const std::string& path, const std::string& line) { return check_includes(path, line + "\n").empty(); }

/// All that a file includes, directly and through our headers.
void reach(const std::string& path, std::set<std::string>& reached) {
  for (const std::string& name : outcrop::architecture::includes_of(outcrop::architecture::read_text(path))) {
    if (reached.insert(name).second && std::filesystem::exists(name)) reach(name, reached);
  }
}

}  // namespace

TEST_CASE("every include of every room obeys the rules") {
  std::size_t files = 0;
  for (const std::string& room : outcrop::architecture::rooms()) {
    for (const std::string& path : outcrop::architecture::source_files(room)) {
      ++files;
      for (const std::string& problem : check_includes(path, outcrop::architecture::read_text(path))) {
        FAIL_CHECK(problem);
      }
    }
  }
  CHECK(files > 20);
}

TEST_CASE("the HDF5 library does not reach other rooms through the headers of io") {
  for (const std::string& room : outcrop::architecture::rooms()) {
    if (room == "io") continue;
    for (const std::string& path : outcrop::architecture::source_files(room)) {
      std::set<std::string> reached;
      reach(path, reached);
      CHECK_MESSAGE(reached.count("hdf5.h") == 0, path << " reaches hdf5.h");
    }
  }
  std::set<std::string> reached;
  reach("io/h5/file.hpp", reached);
  CHECK(reached.count("hdf5.h") == 1);
}

TEST_CASE("a planted include of a room that is behind a door is found") {
  CHECK(refuses("core/tile.hpp", "#include \"model/step.hpp\""));
  CHECK(refuses("model/network.hpp", "#include \"io/tile_source.hpp\""));
  CHECK(refuses("io/h5_source.cpp", "#include \"model/step.hpp\""));
  CHECK(refuses("cpu/backend.cpp", "#include \"gpu/device.hpp\""));
  CHECK(refuses("gpu/absent.cpp", "#include \"cpu/backend.hpp\""));
  CHECK(refuses("pipeline/plan.cpp", "#include \"cpu/backend.hpp\""));
  CHECK(refuses("pipeline/plan.cpp", "  #  include \"tools/outcrop/main.hpp\"  // why"));
  CHECK(refuses("io/h5/file.cpp", "#include \"file.hpp\""));
  CHECK(refuses("pipeline/plan.cpp", "#include \"io/codec/codec.hpp\""));
  CHECK(accepts("pipeline/plan.cpp", "#include \"io/tile_source.hpp\""));
  CHECK(accepts("tools/outcrop/main.cpp", "#include \"cpu/backend.hpp\""));
}

TEST_CASE("a planted include of a library outside its place is found") {
  CHECK(refuses("io/flat_sink.cpp", "#include <hdf5.h>"));
  CHECK(refuses("pipeline/graph_runner.hpp", "#include <oneapi/tbb/flow_graph.h>"));
  CHECK(refuses("io/h5_source.cpp", "#include <oneapi/tbb/parallel_for.h>"));
  CHECK(refuses("model/network.cpp", "#include <Eigen/Dense>"));
  CHECK(refuses("gpu/backend.cpp", "#include <cuda_runtime_api.h>"));
  CHECK(refuses("core/error.cpp", "#include <spdlog/spdlog.h>"));
  CHECK(refuses("core/error.hpp", "#include <fmt/format.h>"));
  CHECK(refuses("pipeline/config.cpp", "#include <CLI/CLI.hpp>"));
  CHECK(refuses("tools/outcrop/main.cpp", "#include <toml++/toml.h>"));
  CHECK(refuses("io/h5_source.cpp", "#include <libdeflate.h>"));
  CHECK(refuses("model/network.cpp", "#include <thread>"));
  CHECK(refuses("core/tile.hpp", "#include <boost/any.hpp>"));
  CHECK(accepts("pipeline/graph_runner.cpp", "#include <oneapi/tbb/flow_graph.h>"));
  CHECK(accepts("io/h5/file.cpp", "#include <hdf5.h>"));
  CHECK(accepts("core/error.cpp", "#include <fmt/format.h>"));
  CHECK(accepts("core/trace.hpp", "#include <mutex>"));
}

TEST_CASE("a violation is reported with file and line, and text that is no include is not") {
  const auto problems = check_includes("core/tile.hpp", "// #include <hdf5.h>\n#include <vector>\n#include <hdf5.h>\n");
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].rfind("core/tile.hpp:3: <hdf5.h>", 0) == 0);
}
