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
