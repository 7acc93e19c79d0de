// The files of a simulated scene in MintPy's layout: datasets, attributes, and which plane goes where.
#pragma once

#include <vector>

#include "io/flat_sink.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

/// inputs/ifgramStack.h5, inputs/geometryRadar.h5, truth.h5 and, with water, waterMask.h5, under the scene's folder.
/// Planes: "phase" "coherence" "component" [M]; "height" "incidence" "slant_range" [1]; "bperp" [D] with a 3-D
/// baseline; "velocity" "dem_error" "kind" [1]; "displacement" "series" [D]; "land" [1] with water.
std::vector<io::OutputFile> scene_files(const Scene& scene);

}  // namespace outcrop::tools
