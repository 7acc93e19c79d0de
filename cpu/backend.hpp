// The host backend: runs Steps on packs of pixels with the instruction set the machine has.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/parallel.hpp"

namespace outcrop::cpu {

/// `parallel` spreads the packs of a tile over threads and must outlive the backend. submit() returns when done.
std::unique_ptr<Backend> make_cpu_backend(const ParallelFor& parallel);

}  // namespace outcrop::cpu
