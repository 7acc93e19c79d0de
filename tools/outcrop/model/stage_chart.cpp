#include "tools/outcrop/model/stage_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "model/cost/pipeline_time.hpp"
#include "model/step.hpp"
#include "tools/outcrop/measure/kernels.hpp"
#include "tools/outcrop/model/log_chart.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t dates = 98;
constexpr std::int64_t pairs_per_date = 5;
constexpr double fewest_pixels = 1e4;
constexpr double most_pixels = 1e9;
constexpr double tile_bytes = 64e6;
constexpr int readers = 4;

/// Okabe and Ito's colours for read, decode, solve and write; the run as a whole is black.
constexpr std::array<const char*, 4> colours = {"#0072b2", "#e69f00", "#d55e00", "#009e73"};

class StageTimes {
 public:
  StageTimes(const pipeline::Machine& machine, int threads)
      : machine_(machine), threads_(threads), step_(sample_inversion({dates, pairs_per_date})) {
    for (const auto& plane : step_.inputs) bytes_in_ += 4.0 * static_cast<double>(plane.depth);
    for (const auto& plane : step_.outputs) {
      if (plane.name != "status") bytes_out_ += 4.0 * static_cast<double>(plane.depth);
    }
  }

  const model::Step& step() const { return step_; }

  std::vector<model::StageTime> stages(double pixels) const {
    using model::Resource;
    const model::StorageRates storage{machine_.read_bytes_per_s, machine_.read_latency_s};
    return {{"read", Resource::input, model::storage_time_s(storage, pixels * bytes_in_, 0, readers), 0},
            {"decode", Resource::processors, pixels * bytes_in_ / machine_.decode_plain_bytes_per_s / threads_, 0},
            {"solve", Resource::processors, pixels * machine_.solve_s(step_) / threads_, 0},
            {"write", Resource::output, pixels * bytes_out_ / machine_.write_bytes_per_s, 0}};
  }

  double wall_s(double pixels) const {
    const auto tiles = static_cast<std::int64_t>(std::max(1.0, pixels * 2 * bytes_in_ / tile_bytes));
    return model::pipeline_time(stages(pixels), {tiles, threads_ + 2, true, machine_.start_s, 0}).wall_s;
  }

 private:
  const pipeline::Machine& machine_;
  int threads_;
  model::Step step_;
  double bytes_in_ = 0;
  double bytes_out_ = 0;
};

LogChart chart_of(const StageTimes& times) {
  constexpr int steps = 120;
  LogChart chart;
  chart.x = {"K, pixels", fewest_pixels, most_pixels};
  ChartLine whole{{}, "#000000", ""};
  std::vector<ChartLine> lines;
  for (const char* colour : colours) lines.push_back({{}, colour, "6 3"});
  for (int i = 0; i <= steps; ++i) {
    const double pixels = fewest_pixels * std::pow(most_pixels / fewest_pixels, static_cast<double>(i) / steps);
    const auto stages = times.stages(pixels);
    for (std::size_t s = 0; s < stages.size(); ++s) lines[s].points.emplace_back(pixels, stages[s].alone_s);
    whole.points.emplace_back(pixels, times.wall_s(pixels));
  }
  double lowest = whole.points.front().second;
  for (const auto& line : lines) lowest = std::min(lowest, line.points.front().second);
  const auto decade = [](double seconds, double (*to)(double)) { return std::pow(10.0, to(std::log10(seconds))); };
  chart.y = {"T [s]", decade(lowest, std::floor), decade(whole.points.back().second * 1.01, std::ceil)};
  const auto stages = times.stages(1);
  for (std::size_t s = 0; s < lines.size(); ++s) {
    chart.legend.push_back({{{}, lines[s].colour, lines[s].dashes}, stages[s].name});
    chart.lines.push_back(std::move(lines[s]));
  }
  chart.legend.push_back({{{}, whole.colour, ""}, "the run"});
  chart.lines.push_back(std::move(whole));
  return chart;
}

}  // namespace

std::string stage_times_html(const pipeline::Machine& machine, const std::string& machine_name, int threads) {
  const StageTimes times(machine, threads);
  return fmt::format(
      "<h2>outcrop's own time by stage</h2>\n{}<p>The inversion of {} pairs of {} dates, weighted, stored without "
      "compression, {} threads, with the rates of {}. Dashed: what each stage takes alone; black: all of them "
      "overlapped, and the start.</p>\n",
      chart_of(times).svg(), times.step().size.pairs, times.step().size.dates, threads, xml_text(machine_name));
}

}  // namespace outcrop::tools
