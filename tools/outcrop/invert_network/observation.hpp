// What a dataset of a stack observes, by its name, and how its numbers become metres.
#pragma once

#include <string>

#include "core/log.hpp"
#include "io/mintpy/stack.hpp"
#include "model/steps/invert_network.hpp"
#include "tools/outcrop/invert_network/deviations.hpp"

namespace outcrop::tools {

enum class Measured { phase, azimuth, range, other_offset };

struct Observation {
  std::string dataset;  ///< for example unwrapPhase_bridging or rangeOffset
  Measured measured = Measured::phase;
  bool zero_is_data = false;  ///< not in names that hold "phase"

  bool is_offset() const { return measured != Measured::phase; }
  model::ObservationKind kind() const {
    return is_offset() ? model::ObservationKind::offset : model::ObservationKind::phase;
  }
  std::string deviation_dataset() const { return dataset + "Std"; }
};

/// Names that begin with unwrapPhase or ion are phases, others with "offset" in them are offsets.
/// Throws Errc::usage for other names.
Observation observation_of(const std::string& dataset);

/// From the unit of the observation to metres. Warns of an implausible wavelength; counts deviations.
/// Throws Errc::input naming the attribute that is missing or wrong.
double metres_per_unit(const Observation& observation, const io::mintpy::Stack& stack, DeviationCounts& deviations,
                       Log& log);

/// Whether the file's name, not its folder, begins with "ion": a stack of ionospheric phases.
bool is_ion_stack(const std::string& path);

std::string lower_case(std::string text);

}  // namespace outcrop::tools
