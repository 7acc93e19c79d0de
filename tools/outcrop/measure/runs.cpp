#include "tools/outcrop/measure/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "core/log.hpp"
#include "core/median.hpp"
#include "tools/outcrop/measure/kernels.hpp"
#include "tools/outcrop/measure/packing.hpp"
#include "tools/outcrop/measure/rehearsal.hpp"
#include "tools/outcrop/simulate/simulate.hpp"

namespace outcrop::tools {
namespace {

struct Sample {
  const char* name;
  std::int64_t rows;
  std::int64_t cols;
  ProblemShape problem;
  const char* chunks;
  const char* compression;
};

/// Both steps on one scene.
struct Rehearsals {
  Rehearsal inversion;
  Rehearsal correction;
  Rehearsal wide_correction;  ///< where it was asked for
};

class Rehearser {
 public:
  Rehearser(const RunTrial& trial, const std::atomic<int>& stop)
      : trial_(trial), stop_(stop), tiny_folder_(trial.folder + "/tiny") {
    make({"tiny", 8, 8, {10, 3}, "", ""}, tiny_folder_);
  }

  /// wide: also corrects with many columns.
  Rehearsals rehearse_on(const Sample& scene, bool wide = false) {
    const std::string folder = trial_.folder + "/" + scene.name;
    make(scene, folder);
    Rehearsals runs;
    runs.inversion = run(folder, {"invert-network", "inputs/ifgramStack.h5"});
    std::filesystem::rename(folder + "/" + first_run + "/timeseries.h5", folder + "/timeseries.h5");
    std::vector<std::string> correction = {"correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5"};
    runs.correction = run(folder, correction);
    if (wide) {
      correction.insert(correction.end(),
                        {"--poly-order", std::to_string(many_columns.polynomial_order), "--periodic"});
      for (const double years : many_columns.periods_yr) correction.push_back(fmt::format("{}", years));
      runs.wide_correction = run(folder, correction);
    }
    std::filesystem::remove_all(folder);
    const Rehearsal tiny = run(tiny_folder_, {"invert-network", "inputs/ifgramStack.h5"});
    ends_s_.push_back(tiny.wall_s - tiny.start_s);
    starts_s_.push_back(runs.inversion.start_s);
    starts_s_.push_back(runs.correction.start_s);
    write_rates_.push_back(runs.correction.written_bytes / runs.correction.write_s);
    return runs;
  }

  /// Seconds from the start of the program to the first reading, of scenes as they are, and those of the end, of almost
  /// nothing: medians over all the time that is spent here, since they change by a third from one minute to the next.
  double start_s() const { return median(starts_s_) + median(ends_s_); }

  /// Bytes a second of the processors. A median too: new pages of the page cache may cost several times as much.
  double write_rate() const { return median(write_rates_); }

 private:
  void make(const Sample& scene, const std::string& folder) const {
    SimulateOptions options;
    options.dir = folder;
    options.rows = scene.rows;
    options.cols = scene.cols;
    options.network.dates = scene.problem.dates;
    options.network.pairs_per_date = scene.problem.pairs_per_date;
    options.bperp3d = true;
    options.threads = trial_.threads;
    options.chunks = scene.chunks;
    options.compression = scene.compression;
    Log log(Verbosity::quiet);
    simulate(options, log, stop_);
  }

  Rehearsal run(const std::string& folder, std::vector<std::string> arguments) const {
    // So little memory that most of it is used again and again, as in a long run.
    arguments.insert(arguments.end(),
                     {"--solver", "structured", "--memory", "128M", "--threads", std::to_string(trial_.threads)});
    return rehearse(folder, arguments, stop_);
  }

  const RunTrial& trial_;
  const std::atomic<int>& stop_;
  std::string tiny_folder_;
  std::vector<double> starts_s_;
  std::vector<double> ends_s_;
  std::vector<double> write_rates_;
};

/// Seconds of a pixel against the flops that the step declares for it.
KernelTrial trial_of(const model::Step& step, const Rehearsal& run) {
  return {step.flops(), run.solve_s / run.pixels, static_cast<double>(step.samples())};
}

/// Processor seconds: the bytes are in memory, so that reading them is a part of decoding.
double decoding_s(const Rehearsal& run) { return run.read_s + run.decode_s; }

/// Chunks that were decompressed, after what the rest of the bytes took.
PackingTrial trial_of(const Rehearsal& run, const pipeline::Machine& machine) {
  // Else the difference of two times that are alike.
  if (run.packed_bytes < run.plain_bytes) return {};
  const double others_s =
      run.plain_bytes / machine.decode_plain_bytes_per_s + run.direct_bytes / machine.read_cpu_bytes_per_s;
  return {run.packed_bytes, run.stored_bytes, decoding_s(run) - others_s};
}

struct Packed {
  const char* compression;  ///< as simulate takes it
  double pipeline::Machine::*decoded_bytes_per_s;
  double pipeline::Machine::*stored_bytes_per_s;
};

constexpr Packed packings[] = {
    {"lzf", &pipeline::Machine::decode_lzf_bytes_per_s, &pipeline::Machine::decode_lzf_stored_bytes_per_s},
    {"lzf+shuffle", &pipeline::Machine::decode_lzf_shuffle_bytes_per_s,
     &pipeline::Machine::decode_lzf_shuffle_stored_bytes_per_s},
    {"gzip", &pipeline::Machine::decode_gzip_bytes_per_s, &pipeline::Machine::decode_gzip_stored_bytes_per_s},
    {"gzip+shuffle", &pipeline::Machine::decode_gzip_shuffle_bytes_per_s,
     &pipeline::Machine::decode_gzip_shuffle_stored_bytes_per_s}};

void measure_decoding(Rehearser& rehearser, Sample scene, pipeline::Machine& machine) {
  scene.name = "chunks";
  scene.chunks = "auto";
  scene.compression = "none";
  const Rehearsal plain = rehearser.rehearse_on(scene).inversion;
  machine.decode_plain_bytes_per_s = plain.plain_bytes / decoding_s(plain);
  machine.decode_packed_bytes_per_s = std::numeric_limits<double>::max();
  for (const Packed& packed : packings) {
    scene.name = scene.compression = packed.compression;
    const Rehearsals runs = rehearser.rehearse_on(scene);
    const PackingTrial noisy = trial_of(runs.inversion, machine);
    const PackingTrial smooth = trial_of(runs.correction, machine);
    const PackingRate rate = packing_rate(noisy, smooth, machine.decode_plain_bytes_per_s);
    machine.*packed.decoded_bytes_per_s = rate.decoded_bytes_per_s;
    machine.*packed.stored_bytes_per_s = rate.stored_bytes_per_s;
    const double overall = packing_rate(noisy, {}, machine.decode_plain_bytes_per_s).decoded_bytes_per_s;
    machine.decode_packed_bytes_per_s = std::min(machine.decode_packed_bytes_per_s, overall);
  }
}

void measure_kernels_and_copies(Rehearser& rehearser, const Sample& small, const Sample& large,
                                pipeline::Machine& machine) {
  const Rehearsals few = rehearser.rehearse_on(small);
  const Rehearsals many = rehearser.rehearse_on(large, true);
  const model::Step inversion = sample_inversion(large.problem);
  machine.kernels.push_back(kernel_rate(inversion, trial_of(sample_inversion(small.problem), few.inversion),
                                        trial_of(inversion, many.inversion)));
  const model::Step correction = sample_correction(large.problem);
  machine.kernels.push_back(kernel_rate(correction, trial_of(sample_correction(small.problem), few.correction),
                                        trial_of(correction, many.correction),
                                        trial_of(wide_correction(large.problem), many.wide_correction)));
  machine.read_cpu_bytes_per_s = many.inversion.direct_bytes / decoding_s(many.inversion);
}

}  // namespace

void measure_runs(const RunTrial& trial, const std::atomic<int>& stop, pipeline::Machine& machine) {
  Rehearser rehearser(trial, stop);
  // Large enough that memory touched for the first time, which is predicted apart, is a small part of what they take.
  const std::int64_t rows = trial.quick ? 80 : 480;
  const Sample small{"few-dates", rows, 640, few_dates, "", ""};
  const Sample large{"many-dates", rows / 3, 640, many_dates, "", ""};
  measure_kernels_and_copies(rehearser, small, large, machine);
  measure_decoding(rehearser, {"", rows, 500, {40, 3}, "", ""}, machine);
  machine.write_cpu_bytes_per_s = rehearser.write_rate();
  machine.start_s = rehearser.start_s();
}

}  // namespace outcrop::tools
