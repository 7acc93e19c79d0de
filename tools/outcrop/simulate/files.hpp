// The files of a simulated scene in MintPy's layout: datasets, attributes, and which plane goes where.
// Planes: "phase" "coherence" "component" [M]; "height" "incidence" "slant_range" [1]; "bperp" [D] with a 3-D baseline;
// "velocity" "dem_error" "kind" [1]; "displacement" "series" [D]; "land" [1] with water.
#pragma once

#include <vector>

#include "io/output_file.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

/// truth.h5 and, with water, waterMask.h5, under the scene's folder: contiguous.
std::vector<io::OutputFile> truth_files(const Scene& scene);

/// inputs/geometryRadar.h5 and inputs/ifgramStack.h5, in the scene's layout.
std::vector<io::OutputFile> input_files(const Scene& scene);

}  // namespace outcrop::tools
