// What the host programs do alike: the pixels of a tile in blocks over the workers, counted block by block, and
// scratch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "core/status.hpp"
#include "cpu/programs/pixel_counts.hpp"

namespace outcrop::cpu {

/// Scratch of one worker, rounded up so that workers do not share a page.
inline std::int64_t whole_pages(std::int64_t bytes) {
  constexpr std::int64_t page_bytes = 4096;
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// Calls work(begin, end, worker, counts) for every block of pixels. `counts` is empty each time: a block counts in
/// memory of its own, near the worker. Gives: the sum over all blocks.
template <int NumFindings, class Work>
Tally run_blocks(std::int64_t num_pixels, std::int64_t block_pixels, int num_workers, const ParallelFor& parallel,
                 const Work& work) {
  Tally sum;
  sum.deviations.resize(NumFindings);
  std::vector<Tally> tallies(static_cast<std::size_t>(num_workers), sum);
  const std::int64_t num_blocks = (num_pixels + block_pixels - 1) / block_pixels;
  parallel.run(num_blocks, [&](std::int64_t block, int worker) {
    const std::int64_t begin = block * block_pixels;
    PixelCounts<NumFindings> counts;
    work(begin, std::min(begin + block_pixels, num_pixels), worker, counts);
    Tally& tally = tallies[static_cast<std::size_t>(worker)];
    for (std::size_t s = 0; s < tally.status.size(); ++s) tally.status[s] += counts.status[s];
    for (std::size_t f = 0; f < tally.deviations.size(); ++f) tally.deviations[f] += counts.finding[f];
  });
  for (const Tally& tally : tallies) sum.add(tally);
  return sum;
}

}  // namespace outcrop::cpu
