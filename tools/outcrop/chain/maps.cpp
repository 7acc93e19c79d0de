// The pixels of the second step's root mean square are those that the first step finds coherent.
#include "tools/outcrop/chain/maps.hpp"

#include <utility>

#include "tools/outcrop/correct_topography/maps.hpp"
#include "tools/outcrop/invert_network/maps.hpp"

namespace outcrop::tools {

QuicklookWishes maps_of(const FirstStep& first, const SecondStep& second, const model::Chain& chain) {
  QuicklookWishes wishes = maps_of(first.settings, first.inputs);
  QuicklookWishes later = maps_of(second.settings, second.inputs, second.names);
  for (MapWish& map : later.maps) {
    map.plane = model::name_in_chain(chain.second, map.plane);
    map.step = 1;
    wishes.maps.push_back(std::move(map));
  }
  if (later.rms) {
    later.rms->plane = model::name_in_chain(chain.second, later.rms->plane);
    if (second.inputs.coherence_is_made) {
      later.rms->coherence.reset();
      later.rms->coherence_plane = "quality";
    }
    wishes.rms = std::move(later.rms);
  }
  wishes.notes.insert(wishes.notes.end(), later.notes.begin(), later.notes.end());
  for (auto& [name, value] : later.settings) wishes.settings.emplace_back("then: " + name, std::move(value));
  return wishes;
}

}  // namespace outcrop::tools
