// The configuration: every key, every way to get it wrong.
#include "pipeline/config.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_text.hpp"

using namespace outcrop;
using pipeline::parse_config;

namespace {

std::string error_of(const std::string& text) {
  return test::error_of([&] { parse_config(text, "a.toml"); });
}

}  // namespace

TEST_CASE("an empty configuration leaves all to the plan") {
  const auto config = parse_config("", "a.toml");
  CHECK(config.memory_bytes == 0);
  CHECK(config.threads == 0);
  CHECK(config.runner == pipeline::Runner::graph);
}

TEST_CASE("every key is read") {
  const auto config = parse_config(
      "[memory]\ncap = \"512M\"\n[run]\nthreads = 3\nrunner = \"serial\"\n[tiles]\nrows = 7\ncols = 9\nslots = 5\n"
      "[storage]\nreaders = 2\nwriters = 1\n[device]\nname = \"cpu\"\nsolver = \"structured\"\n"
      "queues = 3\nassembly = \"host\"\nbatch = 500\n[sim]\nmemory = \"64M\"\ncopy_rate = 2e9\nlaunch_latency = "
      "1e-5\ncompute_rate = 5000\nstart_up = 0.25\ncandidate = true\n"
      "fail_allocation = 1\nfail_pinned = 2\nfail_copy = 3\nfail_kernel = 4\nfail_queue = 5\n"
      "[machine]\nfile = \"nas.toml\"\n",
      "a.toml");
  CHECK(config.memory_bytes == 512LL * 1024 * 1024);
  CHECK(config.threads == 3);
  CHECK(config.runner == pipeline::Runner::serial);
  CHECK(config.tile_rows == 7);
  CHECK(config.tile_cols == 9);
  CHECK(config.slots == 5);
  CHECK(config.readers == 2);
  CHECK(config.writers == 1);
  CHECK(config.device == "cpu");
  CHECK(config.solver == "structured");
  CHECK(config.machine_file == "nas.toml");
  CHECK(config.queues == 3);
  CHECK(config.host_assembles == true);
  CHECK(config.sim.candidate);
  CHECK(config.batch_pixels == 500);
  CHECK(config.sim.memory_bytes == 64LL * 1024 * 1024);
  CHECK(config.sim.copy_bytes_per_s == 2e9);
  CHECK(config.sim.launch_s == 1e-5);
  CHECK(config.sim.flops_per_s == 5000);
  CHECK(config.sim.start_s == 0.25);
  CHECK(config.sim.fail_allocation == 1);
  CHECK(config.sim.fail_pinned == 2);
  CHECK(config.sim.fail_copy == 3);
  CHECK(config.sim.fail_kernel == 4);
  CHECK(config.sim.fail_queue == 5);
}

TEST_CASE("a simulated device's memory may be left to it") {
  CHECK(pipeline::parse_config("[sim]\nmemory = \"auto\"\n", "c.toml").sim.memory_bytes ==
        pipeline::Config{}.sim.memory_bytes);
}

TEST_CASE("a bare number of memory counts in GB") {
  CHECK(parse_config("[memory]\ncap = 2\n", "a.toml").memory_bytes == 2LL << 30);
  CHECK(parse_config("[memory]\ncap = 0.5\n", "a.toml").memory_bytes == 1LL << 29);
  CHECK(parse_config("[memory]\ncap = \"auto\"\n", "a.toml").memory_bytes == 0);
}

TEST_CASE("an unknown key is refused with file, line and the nearest known key") {
  const std::string text = error_of("[tiles]\nrow = 7\n");
  CHECK(test::contains(text, "a.toml line 2"));
  CHECK(test::contains(text, "tiles.row"));
  CHECK(test::contains(text, "tiles.rows"));
  CHECK(test::contains(error_of("[memroy]\ncap = 1\n"), "memory.cap"));
  CHECK(test::contains(error_of("zzzzzzzzzzzzzzz = 1\n"), "sections are"));
}

TEST_CASE("wrong values are refused with what they can be") {
  CHECK(test::contains(error_of("[run]\nthreads = -1\n"), "whole number"));
  CHECK(test::contains(error_of("[run]\nthreads = \"two\"\n"), "whole number"));
  CHECK(test::contains(error_of("[run]\nrunner = \"fast\"\n"), "\"serial\""));
  CHECK(test::contains(error_of("[memory]\ncap = \"lots\"\n"), "512M"));
  CHECK(test::contains(error_of("[memory]\ncap = -3\n"), "512M"));
  CHECK(test::contains(error_of("[sim]\nfail_copy = -1\n"), "from 1, or 0 for none"));
  CHECK(test::contains(error_of("[sim]\ncopy_rate = \"fast\"\n"), "a number from 0"));
  CHECK(test::contains(error_of("[run\n"), "a.toml line 1"));
}

TEST_CASE("the shipped configurations are valid") {
  CHECK(pipeline::read_config("configs/default.toml").threads == 0);
  CHECK(pipeline::read_config("configs/sim.toml").device == "sim");
  CHECK(pipeline::read_config("configs/gpu-16g.toml").device == "cuda");
  CHECK(pipeline::read_config("configs/gpu-large.toml").device == "cuda");
  CHECK(pipeline::read_config("configs/low-memory.toml").memory_bytes == 512LL * 1024 * 1024);
  CHECK(test::contains(test::error_of([] { pipeline::read_config("configs/absent.toml"); }), "cannot be read"));
}

TEST_CASE("a tile is ROWSxCOLS") {
  pipeline::Config config;
  pipeline::parse_tile("64x128", config);
  CHECK(config.tile_rows == 64);
  CHECK(config.tile_cols == 128);
  for (const char* wrong : {"64", "64x", "x64", "0x5", "-3x5", "4x5x6", "axb", ""}) {
    CHECK(test::contains(test::error_of([&] { pipeline::parse_tile(wrong, config); }), "ROWSxCOLS"));
  }
}

TEST_CASE("who assembles is left to the plan, or said") {
  CHECK_FALSE(parse_config("[device]\nassembly = \"auto\"\n", "a.toml").host_assembles.has_value());
  CHECK(parse_config("[device]\nassembly = \"device\"\n", "a.toml").host_assembles == false);
  CHECK(test::contains(error_of("[device]\nassembly = \"bus\"\n"), "\"auto\", \"device\" or \"host\""));
  CHECK(test::contains(error_of("[sim]\ncandidate = 1\n"), "must be true or false"));
}
