// Rates corrected by reports: the median ratio of each stage, and nothing by mistake.
#include "pipeline/rate_correction.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/error_text.hpp"

using namespace outcrop;
using namespace outcrop::pipeline;

namespace {

Machine machine_of() {
  Machine machine = reference_machine();
  machine.read_latency_s = 0.01;
  machine.read_cpu_bytes_per_s = machine.read_request_cpu_s = 0;
  machine.kernels = {{"toy", model::Solver::structured, 1e-6, 1e9}, {"toy", model::Solver::batched, 1e-5, 1e9}};
  machine.devices = {{"sim", 0, 1e9, 1e9, 0, 1e9, {{"toy", model::Solver::structured, 1e-7, 1e10}}}};
  return machine;
}

ReportComparison report_of(const Machine& machine, std::vector<StageComparison> stages) {
  return {"r.json", rates_id(machine), {"toy"}, "cpu", model::Solver::structured, false, std::move(stages)};
}

std::string report_text(const std::string& more = "\"exit\": 0") {
  return "{" + more +
         ", \"step\": \"a then b\", \"device\": {\"name\": \"sim\", \"solver\": \"batched\", \"assembly\": \"host\"},"
         "\"stages\": {\"read\": {\"alone_s\": 2.5}, \"solve\": {\"alone_s\": 1}},"
         "\"predicted\": {\"rates\": \"0123\", \"stages\": {\"read\": 2, \"gather\": 1}}}";
}

}  // namespace

TEST_CASE("the rates of a stage are corrected by the median of its ratios, each with a sentence") {
  Machine machine = machine_of();
  const Machine before = machine;
  std::vector<ReportComparison> reports;
  for (const double ratio : {2.0, 10.0, 1.0}) {
    reports.push_back(report_of(machine, {{"read", 1, ratio}, {"solve", 2, 8}, {"write", 1e-4, 1}}));
  }
  const auto said = correct_rates(machine, reports);
  CHECK(machine.read_bytes_per_s == doctest::Approx(before.read_bytes_per_s / 2));
  CHECK(machine.read_latency_s == doctest::Approx(0.02));
  CHECK(machine.kernels[0].pixel_s == doctest::Approx(4e-6));
  CHECK(machine.kernels[0].flops_per_s == doctest::Approx(0.25e9));
  CHECK(machine.kernels[1].pixel_s == 1e-5);
  CHECK(machine.write_bytes_per_s == before.write_bytes_per_s);
  CHECK(machine.devices[0].kernels[0].pixel_s == 1e-7);
  REQUIRE(said.size() == 4);
  CHECK(test::contains(said[0], "read took 2 times as long as predicted (median of 3 reports)"));
  CHECK(test::contains(said[2], "structured toy.flops_per_s is 2.5e+08, not 1e+09: solve took 4 times"));
}

TEST_CASE("a device's stages correct the device, and the host's those of the host") {
  Machine machine = machine_of();
  const Machine before = machine;
  auto report = report_of(machine, {{"copy_in", 1, 2}, {"solve", 1, 3}, {"decode", 1, 4}});
  report.device = "sim";
  correct_rates(machine, {report});
  CHECK(machine.devices[0].copy_in_bytes_per_s == doctest::Approx(5e8));
  CHECK(machine.devices[0].kernels[0].pixel_s == doctest::Approx(3e-7));
  CHECK(machine.kernels[0].pixel_s == 1e-6);
  CHECK(machine.decode_lzf_bytes_per_s == doctest::Approx(before.decode_lzf_bytes_per_s / 4));
}

TEST_CASE("a step without a kernel corrects what all kernels take") {
  Machine machine = machine_of();
  auto report = report_of(machine, {{"solve", 1, 2}});
  report.steps = {"other"};
  const double before = machine.flops_per_s;
  correct_rates(machine, {report});
  CHECK(machine.flops_per_s == doctest::Approx(before / 2));
}

TEST_CASE("reports that cannot correct are refused") {
  Machine machine = machine_of();
  const auto error_of = [&](const ReportComparison& report) {
    return test::error_of([&] { correct_rates(machine, {report}); });
  };
  CHECK(test::contains(error_of(report_of(machine, {{"read", 1e-4, 1}})), "give reports of longer runs"));
  auto report = report_of(machine, {{"read", 1, 2}});
  correct_rates(machine, {report});
  CHECK(test::contains(error_of(report), "predicted with other rates"));  // never twice
  report = report_of(machine, {{"solve", 1, 2}});
  report.device = "cuda:0 Unknown";
  CHECK(test::contains(error_of(report), "knows neither the device cuda:0 Unknown of r.json nor another of its make"));
}

TEST_CASE("a device without an entry of its own corrects that of its make, which predicted it") {
  Machine machine = machine_of();
  machine.devices.push_back({"cuda:0 Make", 0, 1e9, 1e9, 0, 1e9, {}});
  auto report = report_of(machine, {{"copy_in", 1, 2}});
  report.device = "cuda:3 Make";
  const auto said = correct_rates(machine, {report});
  CHECK(machine.devices[1].copy_in_bytes_per_s == doctest::Approx(5e8));
  CHECK(machine.devices[0].copy_in_bytes_per_s == 1e9);
  REQUIRE(said.size() == 1);
  CHECK(test::contains(said[0], "cuda:0 Make: copy_in_bytes_per_s is 5e+08, not 1e+09"));
}

TEST_CASE("a device that the machine file does not know is named, and the host's stages correct all the same") {
  Machine machine = machine_of();
  const Machine before = machine;
  auto report = report_of(machine, {{"write", 1, 2}, {"copy_in", 1, 2}});
  report.device = "cuda:0 Unknown";
  const auto said = correct_rates(machine, {report});
  CHECK(machine.write_bytes_per_s == doctest::Approx(before.write_bytes_per_s / 2));
  CHECK(machine.devices[0].copy_in_bytes_per_s == 1e9);
  CHECK(test::contains(said.back(), "the machine file knows neither the device cuda:0 Unknown of r.json"));
}

TEST_CASE("a report is read with what it says of its predictions") {
  const auto report = parse_report_comparison(report_text(), "r.json");
  CHECK(report.rates == "0123");
  CHECK(report.steps == std::vector<std::string>{"a", "b"});
  CHECK(report.solver == model::Solver::batched);
  CHECK(report.host_assembles);
  REQUIRE(report.stages.size() == 2);
  CHECK(report.stages[1].stage == "read");
  CHECK(report.stages[1].predicted_s == 2);
  CHECK(report.stages[1].measured_s == 2.5);
  CHECK(report.stages[0].measured_s == 0);
}

TEST_CASE("of reading only the share is compared that waited for storage") {
  const auto read_of = [](int fetched) {
    std::string text = report_text();
    const std::string stages = "\"stages\": {\"read\": {";
    text.insert(text.find(stages) + stages.size(), "\"bytes\": " + std::to_string(fetched) + ", ");
    text.insert(1, "\"bytes\": {\"read\": 400}, ");
    return parse_report_comparison(text, "r.json").stages[1];
  };
  CHECK(read_of(400).predicted_s == 2);
  CHECK(read_of(100).predicted_s == 0.5);
  CHECK(read_of(0).predicted_s == 0);
  CHECK(read_of(0).measured_s == 2.5);
}

TEST_CASE("what is no report, failed, or is older is refused by name") {
  const auto error_of = [](const std::string& text) {
    return test::error_of([&] { parse_report_comparison(text, "r.json"); });
  };
  CHECK(test::contains(error_of("[1]"), "r.json: it is no JSON object"));
  CHECK(test::contains(error_of(report_text("\"exit\": 1")), "did not end well"));
  CHECK(test::contains(error_of("{\"exit\": 0}"), "it has no predicted/rates"));
  CHECK(test::contains(test::error_of([] { read_report_comparison("absent.json"); }), "cannot be read"));
}

TEST_CASE("machines with other rates have other ids, and the file of a machine has the machine's") {
  Machine machine = machine_of();
  const std::string id = rates_id(machine);
  CHECK(id.size() == 16);
  CHECK(rates_id(parse_machine(machine_toml(machine, {"a remark"}), "m.toml")) == id);
  machine.devices[0].kernels[0].pixel_s *= 1.01;
  CHECK(rates_id(machine) != id);
}
