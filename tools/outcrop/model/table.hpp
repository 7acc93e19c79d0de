// `outcrop model table`: the scenes of a machine file, measured beside what the formula gives.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "model/cost/speedup.hpp"
#include "pipeline/speedup_file.hpp"

namespace outcrop::tools {

/// A number that was measured, or not, and the formula's.
struct TableCell {
  std::optional<double> measured;
  double predicted = 0;

  double shown() const { return measured.value_or(predicted); }
  /// True when nothing was measured.
  bool follows(double tolerance) const;
};

struct TableRow {
  std::string scene;
  model::Workload work;
  TableCell host_s;
  TableCell device_s;
  TableCell sigma;
  std::optional<std::string> label;  ///< the regime it was said to be in
  std::string regime;                ///< by the conditions

  bool regime_follows() const { return !label || *label == regime; }
};

struct TableOptions {
  double factor = model::much_greater;
  double tolerance = 0.1;  ///< a cell follows from the formula when it is within this share
};

struct ModelTable {
  std::string title;
  model::SpeedupCoefficients coefficients;
  std::vector<model::StorageModifier> storages;
  TableOptions options;
  std::vector<TableRow> rows;
};

/// Throws Errc::usage when the model has no coefficients or no scenes.
ModelTable make_table(const pipeline::SpeedupModel& speedup, const TableOptions& options);

void print_table_text(const ModelTable& table, std::ostream& out);
void print_table_json(const ModelTable& table, std::ostream& out);

}  // namespace outcrop::tools
