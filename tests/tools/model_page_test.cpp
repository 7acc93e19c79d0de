// The table of scenes and its page.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "tests/support/error_text.hpp"
#include "tools/outcrop/model/log_chart.hpp"
#include "tools/outcrop/model/page.hpp"
#include "tools/outcrop/model/predict.hpp"
#include "tools/outcrop/model/table.hpp"

using namespace outcrop;
using tools::make_table;

namespace {

tools::ModelTable published_table() { return make_table(pipeline::published_speedup_model(), {}); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("cells that do not follow from the formula are marked") {
  const auto table = published_table();
  REQUIRE(table.rows.size() == 5);
  CHECK(table.rows[0].host_s.follows(0.1));
  CHECK_FALSE(table.rows[4].host_s.follows(0.1));
  CHECK_FALSE(table.rows[4].regime_follows());
  std::ostringstream text;
  print_table_text(table, text);
  // 2 host times, 3 device times, 2 speedups, 1 regime, and the line that says what a star is.
  CHECK(count(text.str(), "*") == 9);
}

TEST_CASE("a scene without times shows what the formula gives") {
  auto speedup = pipeline::published_speedup_model();
  speedup.scenes[0].observation.host_s.reset();
  speedup.scenes[0].label.reset();
  const auto table = make_table(speedup, {});
  CHECK(table.rows[0].host_s.shown() == table.rows[0].host_s.predicted);
  CHECK_FALSE(table.rows[0].sigma.measured.has_value());
  CHECK(table.rows[0].regime_follows());
}

TEST_CASE("a table without scenes or coefficients is refused with the way out") {
  auto speedup = pipeline::published_speedup_model();
  speedup.coefficients.reset();
  CHECK(test::contains(test::error_of([&] { make_table(speedup, {}); }), "model fit"));
  speedup = pipeline::published_speedup_model();
  speedup.scenes.clear();
  CHECK(test::contains(test::error_of([&] { make_table(speedup, {}); }), "model predict"));
  CHECK(test::contains(test::error_of([] {
                         make_table(pipeline::published_speedup_model(), {1.5, -1});
                       }),
                       "--tolerance"));
}

TEST_CASE("the page stands alone and shows scenes, curves, regimes and break-even") {
  const std::string page = tools::table_page(published_table(), "");
  for (const char* part : {"<svg", "Kuju (ALOS, ROI_PAC)", "Galapagos", "D 333, P 4", "regime A", "regime C",
                           "break-even K", "on NAS", "class=\"off\""}) {
    CHECK_MESSAGE(test::contains(page, part), part);
  }
  CHECK(count(page, "<circle") == 5);
  // The name space of SVG is the only address.
  CHECK(count(page, "http") == 1);
  for (const char* part : {"<script", "src=", "href=", ",nan", "\"nan", ",inf", "\"inf"})
    CHECK_MESSAGE(!test::contains(page, part), part);
}

TEST_CASE("names of scenes cannot break the page") {
  auto speedup = pipeline::published_speedup_model();
  speedup.scenes[0].observation.scene = "<b>&\"";
  speedup.title = "</title>";
  const std::string page = tools::table_page(make_table(speedup, {}), "");
  CHECK(test::contains(page, "&lt;b&gt;&amp;&quot;"));
  CHECK(test::contains(page, "&lt;/title&gt;"));
}

TEST_CASE("scenes and coefficients of any size are drawn") {
  auto speedup = pipeline::published_speedup_model();
  speedup.scenes[0].observation.work = {1, 1, 1};
  speedup.scenes[1].observation.work = {std::int64_t{1} << 53, 300, 299};
  speedup.coefficients = model::SpeedupCoefficients{1e-6, 0, 1e-9, 0, 0, 0};
  const std::string page = tools::table_page(make_table(speedup, {}), "");
  for (const char* part : {",nan", "\"nan", ",inf", "\"inf"}) CHECK_MESSAGE(!test::contains(page, part), part);
}

TEST_CASE("sizes on the command line are combined, and refused by flag and word") {
  CHECK(tools::workloads_of({{"1k", "2M"}, {"10", "20"}, {"4"}}).size() == 4);
  const auto error = [](const tools::Sizes& sizes) { return test::error_of([&] { tools::workloads_of(sizes); }); };
  CHECK(test::contains(error({{"0"}, {"1"}, {"1"}}), "--pixels 0"));
  CHECK(test::contains(error({{"1"}, {"x"}, {"1"}}), "--dates x"));
  CHECK(test::contains(error({{"1"}, {"1"}, {"nan"}}), "--columns nan"));
  const std::vector<std::string> many(400, "1");
  CHECK(test::contains(error({many, many, {"1"}}), "100000 combinations"));
}
