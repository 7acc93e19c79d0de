// The run report and the trace, as files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pipeline/plan.hpp"
#include "pipeline/runner.hpp"

namespace outcrop::pipeline {

/// What the report says beyond plan and result.
struct ReportContext {
  std::vector<std::string> command;
  std::string version;
  std::string step;
  int exit_code = 0;
  double exec_s = 0;  ///< wall_s() when the process was started
  std::string instruction_set;
  double reference_s = 0;                          ///< reading the values at the reference pixel, before the first tile
  std::map<std::string, std::int64_t> deviations;  ///< differences from MintPy that fired, with their counts
  model::ProblemSize size;
  double quicklook_s = 0;  ///< drawing maps, after the products were complete; 0: none drawn
};

/// JSON text with the keys that the documentation of --report lists.
std::string report_json(const Plan& plan, const RunResult& result, const ReportContext& context);

/// Chrome trace (chrome://tracing, Perfetto) of all spans.
std::string trace_json(const RunResult& result);

/// One or two lines for the end of a run: time, rate, bottleneck, what became of the pixels.
std::string summary(const Plan& plan, const RunResult& result, double elapsed_s);

/// The stage that took longest: the largest busy time over the threads it may use.
std::string measured_bottleneck(const Plan& plan, const RunResult& result);

/// Throws Errc::io naming the file.
void write_text(const std::string& path, const std::string& text);

}  // namespace outcrop::pipeline
