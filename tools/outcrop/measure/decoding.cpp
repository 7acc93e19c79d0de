#include "tools/outcrop/measure/decoding.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "core/log.hpp"
#include "core/tile.hpp"
#include "io/h5_source.hpp"
#include "io/mintpy/stack.hpp"
#include "model/steps/invert_network.hpp"
#include "tools/outcrop/measure/rates.hpp"
#include "tools/outcrop/measure/tile_line.hpp"
#include "tools/outcrop/simulate/simulate.hpp"

namespace outcrop::tools {
namespace {

struct Packed {
  const char* compression;  ///< as simulate takes it
  double pipeline::Machine::*rate;
};

constexpr Packed packings[] = {{"none", &pipeline::Machine::decode_plain_bytes_per_s},
                               {"lzf", &pipeline::Machine::decode_lzf_bytes_per_s},
                               {"lzf+shuffle", &pipeline::Machine::decode_lzf_shuffle_bytes_per_s},
                               {"gzip", &pipeline::Machine::decode_gzip_bytes_per_s},
                               {"gzip+shuffle", &pipeline::Machine::decode_gzip_shuffle_bytes_per_s}};

/// Chunks of the size that h5py chooses for large stacks.
SimulateOptions scene_of(const std::string& folder, const Packed& packed, bool quick) {
  SimulateOptions options;
  options.dir = folder;
  options.rows = 64;
  options.cols = 128;
  options.network.dates = quick ? 24 : 60;
  options.network.pairs_per_date = 3;
  options.chunks = "16,64,64";
  options.compression = packed.compression;
  return options;
}

/// Decoded bytes a second of one thread, the median of several times.
double decode_rate(const std::string& stack_path, const ParallelFor& parallel, const std::atomic<int>& stop) {
  constexpr int runs = 5;
  const io::mintpy::Stack stack = io::mintpy::read_stack(stack_path);
  std::vector<std::int64_t> layers(stack.dates.size());
  std::iota(layers.begin(), layers.end(), std::int64_t{0});
  Log log(Verbosity::quiet);
  const auto source = io::make_h5_source(
      {{"observation", stack_path, "unwrapPhase", layers}, {"coherence", stack_path, "coherence", layers}}, {}, log);
  auto parameters = std::make_shared<model::InvertNetwork>();
  parameters->network = model::make_network(stack.dates);
  parameters->reference.assign(layers.size(), 0.0F);
  const model::Step step = model::make_invert_network(parameters);
  const io::SourceInfo& info = source->describe();
  const TileGrid grid(info.rows, info.cols, info.rows, info.cols);
  TileLine line(step, *source, grid, parallel);
  line.read(grid.rect(0));
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    check_stop(&stop);
    seconds.push_back(line.read(grid.rect(0)).decode_s);
  }
  std::sort(seconds.begin(), seconds.end());
  double decoded = 0;
  for (const auto& plane : info.planes) decoded += static_cast<double>(plane.decoded_bytes);
  return decoded / seconds[runs / 2];
}

}  // namespace

void measure_decoding(const std::string& folder, const ParallelFor& parallel, bool quick, const std::atomic<int>& stop,
                      pipeline::Machine& machine) {
  Log log(Verbosity::quiet);
  for (const Packed& packed : packings) {
    const SimulateOptions scene = scene_of(folder + "/" + packed.compression, packed, quick);
    simulate(scene, log, stop);
    machine.*packed.rate = decode_rate(scene.dir + "/inputs/ifgramStack.h5", parallel, stop);
  }
  machine.decode_packed_bytes_per_s =
      std::min({machine.decode_lzf_bytes_per_s, machine.decode_lzf_shuffle_bytes_per_s, machine.decode_gzip_bytes_per_s,
                machine.decode_gzip_shuffle_bytes_per_s});
}

}  // namespace outcrop::tools
