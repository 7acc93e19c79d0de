// The serial runner: the same path, one tile after the other, on the calling thread. Debug tool and oracle of the
// graph.
#include "pipeline/tile_work.hpp"

namespace outcrop::pipeline {

void run_serial(TileWork& work) {
  constexpr int slot = 0;
  while (const auto tile = work.next_tile()) {
    Ticket ticket = work.decode(work.read(work.begin(*tile, slot)));
    work.solve(ticket, [&](Ticket solved) { ticket = solved; });
    work.wait_for_solved();
    if (work.writes_tiles()) {
      ticket = work.write_tile(ticket);
    } else if (const auto buffer = work.reserve_band(ticket)) {
      // In tile order every band is written before the next begins: a buffer is always free.
      if (const auto full = work.gather(ticket, *buffer)) work.write_band(*full);
    }
    work.end(ticket);
  }
}

}  // namespace outcrop::pipeline
