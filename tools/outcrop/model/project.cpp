#include "tools/outcrop/model/project.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "tools/outcrop/model/machine.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.3g}", value) : "without limit"; }

std::string count_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "none"; }

std::string verdict(const model::Projection& p, double growth) {
  if (p.worth_it) return "worth a port: sigma grows far beyond its value at the crossover";
  if (p.sigma_infinity <= 1) return "not worth a port: the device is not faster at any number of pixels";
  return fmt::format("not worth a port: sigma does not grow to {:g} times its value at the crossover", growth);
}

void print_text(const model::Projection& p, double growth, std::ostream& out) {
  const auto line = [&](const char* name, const std::string& value) { out << fmt::format("{:<38}{}\n", name, value); };
  line("1 flops a pixel", count_text(p.flops_per_pixel));
  line("2 elements a pixel across the bus", fmt::format("{} (float32)", count_text(p.elements_per_pixel)));
  line("3 alpha, dispatch a pixel", fmt::format("{:.3g} s", p.alpha_s));
  line("4 gamma flops / (delta elements)", number_text(p.asymptote));
  line("  sigma as K grows", number_text(p.sigma_infinity));
  line("5 crossover K = F / alpha", count_text(p.crossover_pixels));
  line("6 sigma there", number_text(p.sigma_at_crossover));
  line("  break-even K", p.break_even_pixels ? count_text(*p.break_even_pixels) : "never");
  line("  so it is", verdict(p, growth));
}

void print_json(const model::Projection& p, const std::string& machine, double growth, std::ostream& out) {
  const Json json = {{"machine", machine},
                     {"flops_per_pixel", p.flops_per_pixel},
                     {"elements_per_pixel", p.elements_per_pixel},
                     {"alpha_s", p.alpha_s},
                     {"asymptote", p.asymptote},
                     {"sigma_infinity", p.sigma_infinity},
                     {"crossover_K", p.crossover_pixels},
                     {"sigma_at_crossover", p.sigma_at_crossover},
                     {"break_even_K", p.break_even_pixels ? Json(*p.break_even_pixels) : Json()},
                     {"worth_it", p.worth_it},
                     {"factor", growth},
                     {"verdict", verdict(p, growth)}};
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void project_step(const pipeline::SpeedupModel& speedup, const ProjectOptions& options, std::ostream& out) {
  const auto projection = model::project(coefficients_on(speedup, options.storage), options.step, options.growth);
  options.json ? print_json(projection, speedup.title, options.growth, out)
               : print_text(projection, options.growth, out);
}

}  // namespace outcrop::tools
