// The machine file: complete, positive, nothing unknown.
#include "pipeline/machine.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "tests/support/error_text.hpp"

using namespace outcrop;

TEST_CASE("the machine that is built in is the file in configs") {
  std::ifstream file("configs/machines/reference.toml");
  std::ostringstream text;
  text << file.rdbuf();
  const auto read = pipeline::parse_machine(text.str(), "reference.toml");
  CHECK(read.read_bytes_per_s == pipeline::reference_machine().read_bytes_per_s);
  CHECK(read.flops_per_s > 0);
}

namespace {

const std::string needed =
    "[rates]\nread_bytes_per_s=1\nwrite_bytes_per_s=1\ndecode_plain_bytes_per_s=1\ndecode_packed_bytes_per_s=1\n"
    "flops_per_s=10\nstart_s=1\n";

const std::string kernel = "[[kernel]]\nstep=\"toy\"\nsolver=\"structured\"\npixel_s=0.5\nflops_per_s=2\n";

}  // namespace

TEST_CASE("what a machine file may leave out is 0, and what it holds is read back from its own text") {
  const auto coarse = pipeline::parse_machine(needed, "m.toml");
  CHECK(coarse.decode_lzf_bytes_per_s == 0);
  CHECK(coarse.kernels.empty());
  pipeline::Machine fine = coarse;
  fine.read_latency_s = 2.5e-4;
  fine.memory_copy_bytes_per_s = 1.3e10;
  fine.kernels = {{"invert-network", model::Solver::batched, 0, 3e9, false, 4e-9},
                  {"toy", model::Solver::structured, 1e-7, 2e9}};
  const auto again = pipeline::parse_machine(pipeline::machine_toml(fine, {"a remark"}), "m.toml");
  CHECK(again.read_latency_s == 2.5e-4);
  CHECK(again.memory_copy_bytes_per_s == 1.3e10);
  CHECK(again.read_cpu_bytes_per_s == 0);
  REQUIRE(again.kernels.size() == 2);
  CHECK(again.kernels[0].solver == model::Solver::batched);
  CHECK(again.kernels[1].pixel_s == 1e-7);
  CHECK(again.kernels[0].sample_s == 4e-9);
  CHECK(again.kernels[1].sample_s == 0);
}

TEST_CASE("a step takes what its kernel takes, and without one what all kernels take") {
  model::Step step;
  step.name = "toy";
  step.flops_per_pixel = 6;
  step.batched_flops_per_pixel = 60;
  const auto machine = pipeline::parse_machine(needed + kernel, "m.toml");
  CHECK(machine.solve_s(step) == 0.5 + 3);
  step.inputs = {{"in", 3, "m", {}}};
  step.outputs = {{"out", 1, "m", DType::f32}};
  CHECK(pipeline::parse_machine(needed + kernel + "sample_s=2\n", "m.toml").solve_s(step) == 0.5 + 3 + 8);
  step.solver = model::Solver::batched;
  CHECK(machine.solve_s(step) == 6);
}

TEST_CASE("a kernel that is not whole is refused by name") {
  const auto error_of = [](const std::string& text) {
    return test::error_of([&] { pipeline::parse_machine(needed + text, "m.toml"); });
  };
  CHECK(test::contains(error_of("[kernel]\nstep=\"toy\"\n"), "[[kernel]]"));
  CHECK(test::contains(error_of("[[kernel]]\npixel_s=1\nflops_per_s=1\n"), "needs its step"));
  CHECK(test::contains(error_of("[[kernel]]\nstep=\"toy\"\npixel_s=-1\nflops_per_s=1\n"), "needs pixel_s"));
  CHECK(test::contains(error_of("[[kernel]]\nstep=\"toy\"\npixel_s=1\n"), "positive flops_per_s"));
  CHECK(test::contains(error_of(kernel + "sample_s=-1\n"), "needs sample_s"));
  CHECK(test::contains(error_of(kernel + "sample_s=\"few\"\n"), "needs sample_s"));
  CHECK(test::contains(error_of(kernel + "flop_per_s=1\n"), "the nearest is flops_per_s"));
  CHECK(test::contains(error_of("decode_lzf_bytes_per_s=0\n"), "positive rates.decode_lzf_bytes_per_s"));
  CHECK(test::contains(error_of("decode_lzg_bytes_per_s=1\n"), "the nearest is decode_lzf_bytes_per_s"));
}

TEST_CASE("devices are read back from their own text, with their kernels") {
  pipeline::Machine machine = pipeline::parse_machine(needed, "m.toml");
  CHECK(machine.devices.empty());
  machine.devices = {{"cuda:0 Make", 0.25, 1e10, 2e10, 5e-6, 3e9, {{"toy", model::Solver::batched, 1e-8, 4e12, true}}},
                     {"sim", 0, 1e9, 1e9, 0, 0, {}}};
  const auto again = pipeline::parse_machine(pipeline::machine_toml(machine, {}), "m.toml").devices;
  REQUIRE(again.size() == 2);
  CHECK(again[0].name == "cuda:0 Make");
  CHECK(again[0].start_s == 0.25);
  CHECK(again[0].copy_out_bytes_per_s == 2e10);
  CHECK(again[0].assemble_bytes_per_s == 3e9);
  REQUIRE(again[0].kernels.size() == 1);
  CHECK(again[0].kernels[0].host_assembles);
  CHECK(again[0].kernels[0].flops_per_s == 4e12);
  CHECK(again[1].launch_s == 0);
}

TEST_CASE("a device that is not whole is refused by name") {
  const auto error_of = [](const std::string& text) {
    return test::error_of([&] { pipeline::parse_machine(needed + text, "m.toml"); });
  };
  CHECK(test::contains(error_of("[[device]]\n"), "device needs its name"));
  CHECK(test::contains(error_of("[device]\nname=\"sim\"\n"), "devices are written as [[device]]"));
  CHECK(test::contains(error_of("[[device]]\nname=\"sim\"\ncopy_in_bytes_per_s=0\n"), "must be a positive number"));
  CHECK(test::contains(error_of("[[device]]\nname=\"sim\"\nlaunch=1\n"), "the nearest is launch_s"));
  CHECK(test::contains(error_of("[[device]]\nname=\"sim\"\n[[device.kernel]]\nstep=\"toy\"\npixel_s=0\n"),
                       "positive flops_per_s"));
  CHECK(test::contains(error_of(kernel + "assembly=\"host\"\n"), "kernel.assembly is no key"));
}

TEST_CASE("a missing, negative or unknown rate is refused by name") {
  const std::string good =
      "[rates]\nread_bytes_per_s=1\nwrite_bytes_per_s=1\ndecode_plain_bytes_per_s=1\ndecode_packed_bytes_per_s=1\n"
      "flops_per_s=1\nstart_s=1\n";
  CHECK_NOTHROW(pipeline::parse_machine(good, "m.toml"));
  const auto error_of = [](const std::string& text) {
    return test::error_of([&] { pipeline::parse_machine(text, "m.toml"); });
  };
  CHECK(pipeline::parse_machine(good, "m.toml").read_latency_s == 0);
  CHECK(pipeline::parse_machine(good + "read_latency_s=0.005\n", "m.toml").read_latency_s == 0.005);
  for (const char* wrong : {"-1", "nan", "inf", "\"5 ms\""}) {
    CHECK(test::contains(error_of(good + "read_latency_s=" + wrong + "\n"), "rates.read_latency_s"));
  }
  CHECK(test::contains(test::error_of([] { pipeline::read_machine("absent.toml"); }), "cannot be read"));
  CHECK(test::contains(error_of("[rates]\nread_bytes_per_s=1\n"), "needs a positive rates."));
  CHECK(test::contains(error_of(good + "start=2\n"),
                       "m.toml line 8: rates.start is no key of a machine file; the nearest is start_s"));
  CHECK(test::contains(error_of(good + "[rate]\n"),
                       "m.toml line 8: rate is no key of a machine file; the nearest is rates"));
  CHECK_NOTHROW(pipeline::parse_machine(good + "[speedup]\n", "m.toml"));
  CHECK(test::contains(error_of(""), "needs a positive rates."));
}

TEST_CASE("names with quotes and control characters come back from the file") {
  pipeline::Machine machine = pipeline::reference_machine();
  machine.kernels = {{"to\"y\\\n", model::Solver::structured, 0, 1e9}};
  pipeline::DeviceRates device;
  device.name = "a \"b\" \x01";
  machine.devices = {device};
  const auto again = pipeline::parse_machine(pipeline::machine_toml(machine, {}), "m.toml");
  CHECK(again.kernels[0].step == machine.kernels[0].step);
  CHECK(again.devices[0].name == device.name);
}
