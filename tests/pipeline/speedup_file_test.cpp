// Machine files with the speedup model: what ships, every way to get one wrong, and what is written is read.
#include "pipeline/speedup_file.hpp"

#include <doctest/doctest.h>

#include "pipeline/machine.hpp"
#include "pipeline/report_observation.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using pipeline::parse_speedup_model;

namespace {

const std::string coefficients =
    "[speedup]\nalpha_s=1e-5\ngamma_s=1e-9\nfixed_s=2\nbeta_s=0\ndelta_s=1e-8\nepsilon_s=0\n";
const std::string scene = "[[scene]]\nname=\"S\"\nK=1000\nD=20\nP=4\nt_cpu_s=2.0\nt_gpu_s=1\n";

std::string error_of(const std::string& text) {
  return test::error_of([&] { parse_speedup_model(text, "m.toml"); });
}

}  // namespace

TEST_CASE("the published model that ships is the one that is built in") {
  const auto shipped = pipeline::read_speedup_model("configs/machines/rtx5080-published.toml");
  const auto built_in = pipeline::published_speedup_model();
  CHECK(shipped.title == built_in.title);
  REQUIRE(shipped.scenes.size() == 5);
  CHECK(shipped.scenes[4].observation.work.pixels == 3400000);
  CHECK(shipped.scenes[4].observation.host_s == 163.83);
  CHECK(shipped.scenes[4].label == "C");
  CHECK(shipped.coefficients->alpha_s == 40e-6);
  CHECK(shipped.coefficients->epsilon_s == built_in.coefficients->epsilon_s);
  REQUIRE(shipped.storages.size() == 1);
  CHECK(shipped.storages[0].device_factor == doctest::Approx(7.64 / 4.36));
}

TEST_CASE("rates and the speedup model can share a file") {
  CHECK_NOTHROW(parse_speedup_model("[rates]\nstart_s=1\n" + coefficients, "m.toml"));
  CHECK_FALSE(parse_speedup_model("", "m.toml").coefficients.has_value());
  CHECK(parse_speedup_model(scene, "m.toml").title == "m.toml");
}

TEST_CASE("unknown keys and sections are refused with the nearest") {
  CHECK(test::contains(error_of("[speed]\n"),
                       "m.toml line 1: speed is no key of a machine file; the nearest is speedup"));
  CHECK(test::contains(error_of(coefficients + "zeta_s=1\n"), "m.toml line 8: speedup.zeta_s is no key"));
  CHECK(test::contains(error_of(coefficients + "zeta_s=1\n"), "the nearest is beta_s"));
  CHECK(test::contains(error_of(scene + "t_cpu=1\n"), "the nearest is t_cpu_s"));
}

TEST_CASE("missing and wrong values are refused by name and line") {
  CHECK(test::contains(error_of("[speedup]\nalpha_s=1\n"), "m.toml line 1: speedup has no gamma_s"));
  CHECK(test::contains(error_of("[[scene]]\nname=\"S\"\nD=1\nP=1\n"), "scene has no K"));
  CHECK(test::contains(error_of("[[scene]]\nname=\"S\"\nK=0\n"), "line 3: scene.K must be a whole number from 1 up"));
  CHECK(test::contains(error_of("[[scene]]\nname=\"S\"\nK=-5\n"), "scene.K"));
  CHECK(test::contains(error_of("[[scene]]\nname=\"S\"\nK=1.5\n"), "scene.K"));
  CHECK(test::contains(error_of("[[scene]]\nname=3\n"), "must be text"));
  CHECK(test::contains(error_of("[scene]\nname=\"S\"\n"), "written as [[scene]]"));
  CHECK(test::contains(error_of("speedup=3\n"), "written as [speedup]"));
  CHECK(test::contains(error_of("[[scene]\n"), "m.toml line 1"));
  const std::string begin = "[[scene]]\nname=\"S\"\nK=1\nD=1\nP=1\n";
  CHECK(test::contains(error_of(begin + "t_cpu_s=-1\n"), "scene.t_cpu_s must be a positive number"));
  CHECK(test::contains(error_of(begin + "t_gpu_s=nan\n"), "scene.t_gpu_s must be a number"));
  CHECK(test::contains(error_of(begin + "t_gpu_s=\"fast\"\n"), "scene.t_gpu_s must be a number"));
  CHECK(test::contains(error_of(begin + "regime=\"D\"\n"), "can be \"A\", \"B\" or \"C\""));
  std::string negative = coefficients;
  negative.replace(negative.find("fixed_s=2"), 9, "fixed_s=-2");
  CHECK(test::contains(error_of(negative), "fixed_s is -2"));
  CHECK(test::contains(test::error_of([] { pipeline::read_speedup_model("absent.toml"); }), "cannot be read"));
}

TEST_CASE("a storage names a scene that has both times") {
  const std::string nas = "[[storage]]\nname=\"NAS\"\nscene=\"T\"\nt_cpu_s=1\nt_gpu_s=1\n";
  CHECK(test::contains(error_of(scene + nas), "storage.scene is 'T'"));
  CHECK(test::contains(error_of(scene + "[[storage]]\nname=\"NAS\"\nscene=\"S\"\nt_cpu_s=0\nt_gpu_s=1\n"), "'NAS'"));
}

TEST_CASE("what is written is read") {
  auto speedup = parse_speedup_model(coefficients + scene, "m.toml");
  speedup.title = "a \"title\" with \\ in it";
  speedup.scenes[0].label = "B";
  speedup.scenes[0].observation.device_s.reset();
  const auto again = parse_speedup_model(pipeline::speedup_toml(speedup, {"why"}), "again.toml");
  CHECK(again.title == speedup.title);
  for (std::size_t i = 0; i < model::coefficient_names.size(); ++i) {
    CHECK(model::coefficient(*again.coefficients, i) == model::coefficient(*speedup.coefficients, i));
  }
  CHECK(again.scenes[0].observation.work.pixels == 1000);
  CHECK(again.scenes[0].observation.host_s == 2.0);
  CHECK_FALSE(again.scenes[0].observation.device_s.has_value());
  CHECK(again.scenes[0].label == "B");
}

TEST_CASE("a run report is an observation") {
  const std::string report =
      R"({"exit":0,"wall_s":12.5,"pixels":{"solved":1000},"problem":{"dates":20,"pairs":0,"parameters":4},)"
      R"("device":{"name":"cpu"}})";
  const auto read = [](const std::string& text) { return pipeline::parse_report_observation(text, "run.json"); };
  const auto host = read(report);
  CHECK(host.work.pixels == 1000);
  CHECK(host.work.rows == 20);
  CHECK(host.work.columns == 4);
  CHECK(host.host_s == 12.5);
  CHECK_FALSE(host.device_s.has_value());
  std::string device = report;
  device.replace(device.find("cpu"), 3, "cuda:0 X");
  CHECK(read(device).device_s == 12.5);
}

TEST_CASE("a report that does not hold enough says what it lacks") {
  const auto error = [](const std::string& text) {
    return test::error_of([&] { pipeline::parse_report_observation(text, "run.json"); });
  };
  CHECK(test::contains(error("[]"), "run.json: it is no JSON object"));
  CHECK(test::contains(error("nonsense"), "no JSON object"));
  CHECK(test::contains(error("{\"exit\":1}"), "did not end well"));
  CHECK(test::contains(error("{\"exit\":0,\"pixels\":{\"solved\":0}}"), "pixels/solved is 0"));
  CHECK(test::contains(error("{\"exit\":0,\"pixels\":{\"solved\":5},\"wall_s\":1}"), "no number problem/dates"));
  CHECK(test::contains(test::error_of([] { pipeline::read_report_observation("absent.json"); }), "cannot be read"));
}
