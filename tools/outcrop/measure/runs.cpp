#include "tools/outcrop/measure/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "core/log.hpp"
#include "core/median.hpp"
#include "tools/outcrop/measure/kernels.hpp"
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
};

class Rehearser {
 public:
  Rehearser(const RunTrial& trial, const std::atomic<int>& stop)
      : trial_(trial), stop_(stop), tiny_folder_(trial.folder + "/tiny") {
    make({"tiny", 8, 8, {10, 3}, "", ""}, tiny_folder_);
  }

  Rehearsals rehearse_on(const Sample& scene) {
    const std::string folder = trial_.folder + "/" + scene.name;
    make(scene, folder);
    const Rehearsals runs{
        run(folder, {"invert-network", "inputs/ifgramStack.h5"}),
        run(folder, {"correct-topography", first_run + "/timeseries.h5", "-g", "inputs/geometryRadar.h5"})};
    std::filesystem::remove_all(folder);
    const Rehearsal tiny = run(tiny_folder_, {"invert-network", "inputs/ifgramStack.h5"});
    ends_s_.push_back(tiny.wall_s - tiny.start_s);
    starts_s_.push_back(runs.inversion.start_s);
    starts_s_.push_back(runs.correction.start_s);
    return runs;
  }

  /// Seconds from the start of the program to the first reading, of scenes as they are, and those of the end, of almost
  /// nothing: medians over all the time that is spent here, since they change by a third from one minute to the next.
  double start_s() const { return median(starts_s_) + median(ends_s_); }

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
};

/// Seconds of a pixel against the flops that the step declares for it.
KernelTrial trial_of(const model::Step& step, const Rehearsal& run) { return {step.flops(), run.solve_s / run.pixels}; }

/// Bytes decompressed a second, after what the rest of the bytes took.
double packed_rate(const Rehearsals& runs, double plain_bytes_per_s) {
  double bytes = 0;
  double seconds = 0;
  for (const Rehearsal* run : {&runs.inversion, &runs.correction}) {
    if (run->packed_bytes < run->plain_bytes) continue;  // the difference of two times that are alike
    bytes += run->packed_bytes;
    seconds += run->decode_s - run->plain_bytes / plain_bytes_per_s;
  }
  return seconds > 0 ? bytes / seconds : plain_bytes_per_s;
}

struct Packed {
  const char* compression;  ///< as simulate takes it
  double pipeline::Machine::*rate;
};

constexpr Packed packings[] = {{"lzf", &pipeline::Machine::decode_lzf_bytes_per_s},
                               {"lzf+shuffle", &pipeline::Machine::decode_lzf_shuffle_bytes_per_s},
                               {"gzip", &pipeline::Machine::decode_gzip_bytes_per_s},
                               {"gzip+shuffle", &pipeline::Machine::decode_gzip_shuffle_bytes_per_s}};

void measure_decoding(Rehearser& rehearser, Sample scene, pipeline::Machine& machine) {
  scene.name = "chunks";
  scene.chunks = "auto";
  scene.compression = "none";
  const Rehearsal plain = rehearser.rehearse_on(scene).inversion;
  machine.decode_plain_bytes_per_s = plain.plain_bytes / plain.decode_s;
  machine.decode_packed_bytes_per_s = std::numeric_limits<double>::max();
  for (const Packed& packed : packings) {
    scene.name = scene.compression = packed.compression;
    machine.*packed.rate = packed_rate(rehearser.rehearse_on(scene), machine.decode_plain_bytes_per_s);
    machine.decode_packed_bytes_per_s = std::min(machine.decode_packed_bytes_per_s, machine.*packed.rate);
  }
}

void measure_kernels_and_copies(Rehearser& rehearser, const Sample& small, const Sample& large,
                                pipeline::Machine& machine) {
  const Rehearsals few = rehearser.rehearse_on(small);
  const Rehearsals many = rehearser.rehearse_on(large);
  const auto line = [](model::Step (*sample)(const ProblemShape&), const Sample& a, const Rehearsal& of_a,
                       const Sample& b, const Rehearsal& of_b) {
    return kernel_rate(sample(b.problem), trial_of(sample(a.problem), of_a), trial_of(sample(b.problem), of_b));
  };
  machine.kernels.push_back(line(sample_inversion, small, few.inversion, large, many.inversion));
  machine.kernels.push_back(line(sample_correction, small, few.correction, large, many.correction));
  machine.read_cpu_bytes_per_s = many.inversion.read_bytes / many.inversion.read_s;
  machine.write_cpu_bytes_per_s = many.correction.written_bytes / many.correction.write_s;
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
  machine.start_s = rehearser.start_s();
}

}  // namespace outcrop::tools
