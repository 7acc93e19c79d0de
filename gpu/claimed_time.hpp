// ClaimedTime: the time in which a part of a device worked, when several slots wait for the same part: of a slot's span
// it gives what no slot's span before has had, so that what the spans add up to is what the part worked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace outcrop::gpu {

/// For one thread.
class ClaimedTime {
 public:
  /// Gives the pieces (start, end) of a span [s] that are still free, in order, and takes them; when there is none, an
  /// empty one at its end. Splinters beside a long piece, by which threads are late to say that they wait, are left
  /// out.
  std::vector<std::pair<double, double>> claim(double start_s, double end_s) {
    std::vector<std::pair<double, double>> pieces;
    auto at = claimed_.upper_bound(start_s);
    if (at != claimed_.begin() && std::prev(at)->second >= start_s) --at;
    double free_s = start_s;
    double first_s = start_s;
    double last_s = end_s;
    while (at != claimed_.end() && at->first <= end_s) {
      if (at->first > free_s) pieces.emplace_back(free_s, at->first);
      free_s = std::max(free_s, at->second);
      first_s = std::min(first_s, at->first);
      last_s = std::max(last_s, at->second);
      at = claimed_.erase(at);
    }
    if (free_s < end_s) pieces.emplace_back(free_s, end_s);
    if (pieces.empty()) pieces.emplace_back(end_s, end_s);
    leave_out_splinters(pieces);
    claimed_.emplace(first_s, last_s);
    // So many pieces are more than slots that work at the same time can leave between them.
    if (claimed_.size() > most_remembered) claimed_.erase(claimed_.begin());
    return pieces;
  }

 private:
  static constexpr std::size_t most_remembered = std::size_t{1} << 16;
  static constexpr double splinter_share = 0.05;  ///< of the longest piece

  static void leave_out_splinters(std::vector<std::pair<double, double>>& pieces) {
    double longest_s = 0;
    for (const auto& [start_s, end_s] : pieces) longest_s = std::max(longest_s, end_s - start_s);
    const auto is_splinter = [&](const auto& piece) { return piece.second - piece.first < splinter_share * longest_s; };
    double splinters_s = 0;
    for (const auto& piece : pieces) splinters_s += is_splinter(piece) ? piece.second - piece.first : 0;
    if (splinters_s < splinter_share * longest_s) std::erase_if(pieces, is_splinter);
  }

  std::map<double, double> claimed_;  ///< start to end, apart from each other
};

}  // namespace outcrop::gpu
