// Rehearsals: runs of this program on scenes of its own, and what they took.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace outcrop::tools {

/// What the report of a run says. Seconds are of processors, all threads together, unless said.
struct Rehearsal {
  double wall_s = 0;   ///< elapsed, of the whole run
  double start_s = 0;  ///< elapsed until the first reading
  double pixels = 0;   ///< solved
  double read_s = 0;
  double decode_s = 0;
  double solve_s = 0;
  double write_s = 0;
  double direct_bytes = 0;  ///< read straight to their place
  double plain_bytes = 0;   ///< decoded, of other data that no compression made shorter
  double packed_bytes = 0;  ///< decoded, of compressed chunks
  double stored_bytes = 0;  ///< of those chunks, as they are stored
  double written_bytes = 0;
};

/// Where the first of several runs leaves its products, in the folder of its scene; each has a folder of its own, since
/// replacing a large file takes as long as writing it.
inline const std::string first_run = "run-0";

/// Runs `outcrop ARGUMENTS` in `folder` several times, with a report. Gives: the run of median wall time.
/// Throws: Errc::io with the run's last message when it does not end well, or when its report cannot be read;
/// Errc::cancelled after a signal.
Rehearsal rehearse(const std::string& folder, const std::vector<std::string>& arguments, const std::atomic<int>& stop);

}  // namespace outcrop::tools
