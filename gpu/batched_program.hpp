// BatchedProgram: what the batched programs of all steps answer alike, on top of the program of one step.
#pragma once

#include <memory>

#include "gpu/batch_solver.hpp"
#include "gpu/program.hpp"

namespace outcrop::gpu {

/// Base: the step's Program, with the rows and unknowns of a design matrix.
template <class Base>
class BatchedProgram : public Base {
 public:
  std::int64_t most_threads() const override { return solver_.most_pixels(); }
  std::int64_t batch_pixels(std::int64_t threads) const override { return threads; }
  std::int64_t prepared_bytes(std::int64_t threads) const override { return BatchSolver::prepared_bytes(threads); }
  /// Assembly, where it is the device's, normal equations, factor, unknowns, and the verdict on each pixel.
  std::int64_t launches() const override { return solver_.host_assembles() ? 4 : 5; }
  std::int64_t design_bytes() const override { return solver_.design_bytes(); }
  bool host_assembles() const override { return solver_.host_assembles(); }

  std::int64_t staging_bytes(std::int64_t threads) const override { return solver_.staging_bytes(threads); }

  void prepare(const std::shared_ptr<Runtime>& runtime, const Queue& queue) override {
    Workspace workspace(queue.workspace());
    solver_.prepare(runtime, queue.stream(), solver_.carve(workspace, this->threads()), this->threads());
  }

  void stage(const std::shared_ptr<Runtime>& runtime, const Warn& warn) override {
    solver_.stage(runtime, this->threads(), warn);
  }

  std::int64_t bytes_in(const Slot& slot) const override {
    const std::int64_t design_bytes = solver_.host_assembles() && solver_.rows() > 0 ? solver_.design_bytes() : 0;
    return Base::bytes_in(slot) + slot.rect.pixels() * design_bytes;
  }

 protected:
  BatchedProgram(const model::Step& step, const SlotLayout& layout, const HostShare& host)
      : Base(step, layout), solver_(this->design_rows(), this->num_unknowns(), step.flops(), host) {
    this->mark_with(host.make_solve_marked(step, layout));
  }

  /// Its batch is what a program carves first, so that it begins where prepare() was told.
  BatchSolver solver_;
};

}  // namespace outcrop::gpu
