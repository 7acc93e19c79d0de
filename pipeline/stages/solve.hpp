// The solve stage: hands a slot to the backend, which calls back once when its outputs are there.
#pragma once

#include <memory>
#include <utility>

#include "core/backend.hpp"

namespace outcrop::pipeline {

class SolveStage {
 public:
  SolveStage(Backend& backend, std::unique_ptr<TileProgram> program)
      : backend_(backend), program_(std::move(program)) {}

  void operator()(Slot& slot, Completion done) const { backend_.submit(*program_, slot, std::move(done)); }

 private:
  Backend& backend_;
  std::unique_ptr<TileProgram> program_;
};

}  // namespace outcrop::pipeline
