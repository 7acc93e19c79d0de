// Program: a step compiled for the host backend. One kind for each step, found by the step's name.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "cpu/isa.hpp"
#include "model/step.hpp"

namespace outcrop::cpu {

class Program : public TileProgram {
 public:
  /// Runs on the slot's tile: writes its output planes and its tally. Several slots at once.
  virtual void run(Slot& slot, const ParallelFor& parallel) = 0;
};

/// How a kind of step is compiled, and how many bytes that allocates for `num_workers`.
struct ProgramKind {
  const char* step = "";
  std::unique_ptr<Program> (*make)(const model::Step&, const SlotLayout&, const KernelSet&, int num_workers) = nullptr;
  std::int64_t (*bytes)(const model::Step&, const KernelSet&, int num_workers) = nullptr;
};

/// The kind of a step. Throws: Errc::unsupported naming a step that has none.
const ProgramKind& kind_of(const model::Step& step);

extern const ProgramKind chain_program;  ///< of any chain (model/steps/chain.hpp), by its type instead of its name
extern const ProgramKind correct_topography_program;
extern const ProgramKind invert_network_program;

}  // namespace outcrop::cpu
