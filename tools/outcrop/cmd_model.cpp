// The flags of `outcrop model` and its parts.
#include "tools/outcrop/cmd_model.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "pipeline/host.hpp"
#include "pipeline/machine.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/model/fit.hpp"
#include "tools/outcrop/model/machine.hpp"
#include "tools/outcrop/model/page.hpp"
#include "tools/outcrop/model/predict.hpp"
#include "tools/outcrop/model/project.hpp"
#include "tools/outcrop/model/stage_chart.hpp"
#include "tools/outcrop/model/table.hpp"
#include "tools/outcrop/written_files.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop model table --machine configs/machines/rtx5080-published.toml --html speedup.html
  outcrop model table --html here.html --rates machine.toml
  outcrop model fit --hold epsilon_s=1e-12
  outcrop model predict -K 226k 3.4M -D 98 -P 4 --storage NAS
  outcrop model regime -K 326k -D 333 -P 4
  outcrop model project --flops 1600 --bytes 1568
docs/cost-model.md says what the model is and how far to trust it.)";

/// Flags that the parts share; each part has those that it uses.
struct ModelFlags {
  std::optional<std::string> machine;
  std::optional<std::string> storage;
  std::optional<std::string> html;
  std::optional<std::string> rates;
  bool json = false;
  Sizes sizes;
  TableOptions table;
  FitRequest fit;
  ProjectOptions project;
};

using Flags = std::shared_ptr<ModelFlags>;

PredictOptions predict_options(const ModelFlags& flags) {
  return {workloads_of(flags.sizes), flags.storage, flags.table.factor, flags.json};
}

/// With the rates of the file, else of the reference machine.
std::string own_times(const std::optional<std::string>& path) {
  const auto machine = path ? pipeline::read_machine(*path) : pipeline::reference_machine();
  return stage_times_html(machine, path.value_or("the reference machine"),
                          static_cast<int>(pipeline::usable_threads().value));
}

void run_table(const ModelFlags& flags) {
  const ModelTable table = make_table(speedup_of(flags.machine), flags.table);
  if (flags.html) write_result(*flags.html, table_page(table, own_times(flags.rates)));
  flags.json ? print_table_json(table, std::cout) : print_table_text(table, std::cout);
}

void run_fit(const ModelFlags& flags) {
  FitRequest request = flags.fit;
  request.machine = flags.machine;
  request.json = flags.json;
  fit_model(request, std::cout);
}

void run_project(const ModelFlags& flags) {
  ProjectOptions options = flags.project;
  options.storage = flags.storage;
  options.json = flags.json;
  project_step(speedup_of(flags.machine), options, std::cout);
}

/// A part of the command with the flags that all have.
template <class Run>
CLI::App* add_part(CLI::App& model, const char* name, const char* purpose, const Flags& flags, Action& chosen,
                   Run run) {
  CLI::App* part = model.add_subcommand(name, purpose);
  part->footer(examples);
  part->add_option("--machine", flags->machine, "Machine file with the model; the published one when absent");
  part->add_flag("--json", flags->json, "As JSON");
  part->callback([flags, run, &chosen] {
    chosen = [flags, run](const Invocation&) {
      run(*flags);
      if (!std::cout.flush()) fail(Errc::io, "writing to standard output failed");
      return exit_code::done;
    };
  });
  return part;
}

void add_sizes(CLI::App& part, const Flags& flags) {
  part.add_option("-K,--pixels", flags->sizes.pixels, "Pixels inverted: 226000, 226k, 3.4M ...")->required();
  part.add_option("-D,--dates", flags->sizes.dates, "Dates")->required();
  part.add_option("-P,--columns", flags->sizes.columns,
                  "Columns of the design matrix: 1 + (polynomial order + 1) + step dates")
      ->required();
}

void add_storage(CLI::App& part, const Flags& flags) {
  part.add_option("--storage", flags->storage, "Name of another storage in the machine file: its measured ratios");
}

void add_factor(CLI::App& part, const Flags& flags) {
  part.add_option("--factor", flags->table.factor, "What '>>' means in the conditions of the regimes")
      ->capture_default_str();
}

void add_table(CLI::App& model, const Flags& flags, Action& chosen) {
  CLI::App* part =
      add_part(model, "table", "The scenes of a machine file, measured and by the formula", flags, chosen, run_table);
  add_factor(*part, flags);
  part->add_option("--tolerance", flags->table.tolerance, "Share within which a number follows from the formula")
      ->capture_default_str();
  CLI::Option* page =
      part->add_option("--html", flags->html, "Also a page with sigma over K, regimes, break-even and T by stage");
  part->add_option("--rates", flags->rates, "Machine file of `outcrop measure` for T by stage on that page")
      ->type_name("FILE")
      ->needs(page);
}

void add_fit(CLI::App& model, const Flags& flags, Action& chosen) {
  CLI::App* part =
      add_part(model, "fit", "Coefficients from measured times, with their intervals", flags, chosen, run_fit);
  part->add_option("--report", flags->fit.reports, "Run reports (--report of the steps) to fit as well")
      ->type_name("FILE...");
  part->add_option("--hold", flags->fit.held, "Coefficients that are given, not fitted: beta_s=0 ...")
      ->type_name("NAME=SECONDS...");
  const std::map<std::string, model::Weighting> weightings{{"relative", model::Weighting::relative},
                                                           {"equal", model::Weighting::equal}};
  part->add_option("--weights", flags->fit.weighting, "What counts: shares of a time (relative) or seconds (equal)")
      ->transform(CLI::CheckedTransformer(weightings));
  part->add_option("-o,--output", flags->fit.output, "Machine file to write the coefficients and scenes to");
}

void add_project(CLI::App& model, const Flags& flags, Action& chosen) {
  CLI::App* part = add_part(model, "project", "Is a step worth a device? From its flops and bytes a pixel", flags,
                            chosen, run_project);
  auto& project = flags->project;
  part->add_option("--flops", project.step.flops_per_pixel, "Flops a pixel of the dominant kernel")->required();
  part->add_option("--bytes", project.step.bytes_per_pixel, "Bytes a pixel of the largest array that crosses the bus")
      ->required();
  part->add_option("--alpha", project.step.alpha_s, "Seconds of dispatch a pixel on the host; that of the model");
  part->add_option("--factor", project.growth, "By how much sigma has to outgrow its value at the crossover")
      ->capture_default_str();
  add_storage(*part, flags);
}

}  // namespace

void add_model(CLI::App& app, Action& chosen) {
  CLI::App* model = app.add_subcommand("model", "The speedup of a device over the host, as a formula");
  model->footer(examples);
  model->require_subcommand(1);
  const auto flags = std::make_shared<ModelFlags>();
  add_fit(*model, flags, chosen);
  const auto add_predicting = [&](const char* name, const char* purpose, auto print) {
    CLI::App* part = add_part(*model, name, purpose, flags, chosen, [print](const ModelFlags& f) {
      print(speedup_of(f.machine), predict_options(f), std::cout);
    });
    add_sizes(*part, flags);
    add_storage(*part, flags);
    add_factor(*part, flags);
  };
  add_predicting("predict", "Times, speedup, crossover and break-even for given sizes", predict);
  add_table(*model, flags, chosen);
  add_project(*model, flags, chosen);
  add_predicting("regime", "Which terms decide for given sizes, and why", explain_regimes);
}

}  // namespace outcrop::tools
