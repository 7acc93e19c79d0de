#include "tools/outcrop/cmd_correct_topography.hpp"

#include <CLI/CLI.hpp>

#include "tools/outcrop/correct_topography/maps.hpp"
#include "tools/outcrop/correct_topography/setup.hpp"
#include "tools/outcrop/correct_topography/update.hpp"
#include "tools/outcrop/device_options.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/invert_network/settings.hpp"
#include "tools/outcrop/opening.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop correct-topography timeseries_ERA5_ramp.h5 -g inputs/geometryRadar.h5 -t smallbaselineApp.cfg --update
  outcrop correct-topography timeseries.h5 --quicklook maps
  outcrop correct-topography timeseries.h5 -g inputs/geometryRadar.h5 -s 20170910 20180613 --ex 20070107
  outcrop correct-topography timeseries.h5 -g inputs/geometryRadar.h5 --poly-order 3 --periodic 1.0 0.5
  outcrop correct-topography timeseries.h5 -g inputs/geometryRadar.h5 --phase-velocity --residual-file no
  outcrop correct-topography timeseries.h5 -o corrected.h5 --memory 2G --plan
The first line is MintPy's `dem_error.py timeseries_ERA5_ramp.h5 -g inputs/geometryRadar.h5 -t smallbaselineApp.cfg --update`.
Exit codes: 0 done, 1 failed after the start, 2 refused before any output, 130 stopped by a signal.)";

int run(const CommonOptions& options, const TopographyFlags& given_flags, const Invocation& invocation) {
  Opening opening(options, invocation);
  Log& log = opening.log;
  const auto& given = opening.given;
  TopographyFlags flags = given_flags;
  flags.mintpy_compat = options.mintpy_compat;
  flags.accept_geometry = options.accept_geometry;
  const TopographySettings settings = resolve_settings(flags, given);
  const TopographyInputs inputs = read_inputs(flags, settings, log);
  const TopographyNames names = product_names(flags, inputs, options.out_dir);
  if (options.update && skips_update(options, reason_to_run(names, settings, inputs), log)) return exit_code::done;
  const gpu::DeviceStart start = begin_device(opening.config, invocation.stop);
  StepSetup setup = make_setup(settings, inputs, names, {options.allow_external}, log);
  setup.template_memory_gb = template_memory_gb(given);
  add_quicklook(options, maps_of(settings, inputs, names), setup);
  return run_step(options, opening.config, std::move(setup), start, invocation, log);
}

void add_file_options(CLI::App& c, TopographyFlags& f) {
  c.add_option(
       "-g,--geometry", f.geometry,
       "incidenceAngle, slantRangeDistance and bperp of each pixel (default: one angle and range for the scene)")
      ->type_name("FILE");
  c.add_option("-o,--outfile", f.corrected, "Corrected series (default: TIMESERIES_demErr.h5 beside the series)")
      ->type_name("FILE");
  c.add_option("--dem-err-file,--dem-error-file", f.dem_error, "DEM error (default: demErr.h5)")->type_name("FILE");
  c.add_option("--residual-file", f.residual,
               "What the model leaves (default: timeseriesResidual.h5 beside the corrected series), or no")
      ->type_name("FILE|no");
}

void add_model_options(CLI::App& c, TopographyFlags& f) {
  c.add_option("--ex,--exclude", f.excluded, "Leave dates out of the fit: dates, or text files of dates")
      ->type_name("DATE|FILE")
      ->expected(1, -1);
  c.add_option("-p,--poly-order", f.polynomial_order, "Order of the polynomial in time (default: 2)")->type_name("N");
  c.add_option("-s,--step-date", f.steps, "A step at each of these dates: YYYYMMDD or YYYYMMDDTHHMM")
      ->type_name("DATE")
      ->expected(1, -1);
  c.add_option("--periodic,--period,--peri", f.periods_yr, "Periodic terms of these periods in years")
      ->type_name("YEARS")
      ->expected(1, -1);
  c.add_flag("--phase-velocity", f.phase_velocity,
             "Fit differences of neighbouring dates over time, not displacements");
}

}  // namespace

void add_topography_options(CLI::App& command, TopographyFlags& flags) {
  add_file_options(command, flags);
  add_model_options(command, flags);
}

void add_correct_topography(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("correct-topography", "Estimate the DEM error and take it out of a time series");
  const auto options = std::make_shared<CommonOptions>();
  const auto flags = std::make_shared<TopographyFlags>();
  command->add_option("timeseries", flags->series, "MintPy time series, for example timeseries_ERA5_ramp.h5")
      ->required()
      ->type_name("TIMESERIES");
  add_topography_options(*command, *flags);
  add_common_options(*command, *options);
  command->footer(examples);
  command->callback(
      [=, &chosen] { chosen = [=](const Invocation& invocation) { return run(*options, *flags, invocation); }; });
}

}  // namespace outcrop::tools
