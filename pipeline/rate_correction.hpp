// Run reports fed back: rates of a machine corrected by what the stages of runs took beside what was predicted.
#pragma once

#include <string>
#include <vector>

#include "pipeline/machine.hpp"

namespace outcrop::pipeline {

/// A stage of a run, both with all its workers.
struct StageComparison {
  std::string stage;
  double predicted_s = 0;
  double measured_s = 0;
};

/// What a run report says of its predictions.
struct ReportComparison {
  std::string file;
  std::string rates;               ///< rates_id() of the machine that predicted
  std::vector<std::string> steps;  ///< one, or those of a chain
  std::string device;              ///< "cpu", or a device's name
  model::Solver solver = model::Solver::structured;
  bool host_assembles = false;
  std::vector<StageComparison> stages;
};

/// Throws Errc::usage naming the file and what it lacks: reports of runs that failed, or without predictions.
ReportComparison parse_report_comparison(const std::string& text, const std::string& name);

/// The same from a file.
ReportComparison read_report_comparison(const std::string& path);

/// Corrects the rates of each stage by the median ratio of measured to predicted seconds; stages of less than a
/// millisecond tell nothing. A device is corrected by the entry that it was predicted with: its own, else that of
/// another of its make. Gives a sentence for each rate that changes, then one for each report whose device has no
/// entry. Throws Errc::usage when a report was predicted with other rates than the machine's, or when no stage of any
/// report can be used.
std::vector<std::string> correct_rates(Machine& machine, const std::vector<ReportComparison>& reports);

}  // namespace outcrop::pipeline
