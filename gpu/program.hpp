// Program: a step or a chain of two compiled for a device. One kind for each step, found by the step's name.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "gpu/host_share.hpp"
#include "gpu/queue.hpp"
#include "gpu/slot.hpp"
#include "gpu/tables.hpp"
#include "model/step.hpp"

namespace outcrop::gpu {

/// Has the tally of the slot's tile, which is the second step's of a chain, follow that of the first.
void follow(Tally first, Slot& slot);

/// The index of a plane that the step does not declare.
inline constexpr int absent = -1;

/// Planes of a step in a slot, and what all programs do alike.
class Program : public TileProgram {
 public:
  Program(const model::Step& step, const SlotLayout& layout);

  /// Working memory of a queue when so many pixels are worked on at once.
  virtual std::int64_t workspace_bytes(std::int64_t threads) const = 0;

  /// The largest number of threads that makes sense.
  virtual std::int64_t most_threads() const { return std::numeric_limits<std::int64_t>::max(); }

  /// Pixels whose design matrices are in memory at once; 0: none is formed.
  virtual std::int64_t batch_pixels(std::int64_t /*threads*/) const { return 0; }

  /// Makes what a queue needs for this program beside its working memory, once both are there: device memory of
  /// prepared_bytes(), libraries started. Throws: Errc::out_of_memory, Errc::device.
  virtual void prepare(const std::shared_ptr<Runtime>& /*runtime*/, const Queue& /*queue*/) {}
  virtual std::int64_t prepared_bytes(std::int64_t /*threads*/) const { return 0; }

  /// Kernels for each batch, or for each tile where there are no batches.
  virtual std::int64_t launches() const { return 1; }

  /// Of a pixel's design matrices as they cross the bus when the host forms them; 0: none is formed.
  virtual std::int64_t design_bytes() const { return 0; }
  virtual bool host_assembles() const { return false; }

  /// Host memory that stage() allocates: for what the host makes tile by tile.
  virtual std::int64_t staging_bytes(std::int64_t /*threads*/) const { return 0; }
  virtual void stage(const std::shared_ptr<Runtime>& /*runtime*/, const Warn& /*warn*/) {}

  /// Host memory copied to the device by upload().
  virtual std::int64_t table_bytes() const { return tables_.bytes(); }
  virtual void upload(const std::shared_ptr<Runtime>& runtime, Stream& stream) { tables_.upload(runtime, stream); }

  virtual void set_threads(std::int64_t threads) { threads_ = threads; }
  std::int64_t threads() const { return threads_; }

  /// The step's number in a chain, from 0.
  void set_place(int place) { place_ = place; }
  int place() const { return place_; }

  /// The programs that a tile goes through one after the other: the host is through with what one gave, marked pixels
  /// included, before the next is ordered. Most are their own only part.
  virtual int num_parts() const { return 1; }
  virtual Program& part(int /*number*/) { return *this; }

  /// Orders copies in, launches and copies out of the slot's tile, with the slot's events between them.
  void order(Slot& slot, DeviceSlot& device);

  /// Orders what is between the copies. What the host does for it meanwhile becomes spans of the slot.
  virtual void launch(Slot& slot, DeviceSlot& device, std::byte* workspace, Stream& stream) = 0;

  /// Once the outputs are in the slot: counts what its pixels came to. Any thread.
  virtual void conclude(Slot& slot, const DeviceSlot& device) const;

  virtual std::int64_t bytes_in(const Slot& slot) const;
  std::int64_t bytes_out(const Slot& slot) const;

 protected:
  int plane(const std::string& name) const;  ///< its index in the slot, or `absent`
  double flops(const Slot& slot) const;

  /// A plane in the slot's own memory; null for `absent`.
  static const float* host_plane(const Slot& slot, int index) {
    return index == absent ? nullptr : slot.plane<float>(index).data_handle();
  }

  /// What a step knows better than its pixels.
  virtual void adjust(Slot& slot) const { static_cast<void>(slot); }

  /// Who solves what the program marks.
  void mark_with(SolveMarked solve_marked) { solve_marked_ = std::move(solve_marked); }

  DeviceTables tables_;

 private:
  std::string name_;
  std::vector<std::string> names_;  ///< of the inputs, then of the outputs
  std::vector<int> inputs_;         ///< indices in the slot
  std::vector<int> outputs_;
  int status_;
  std::size_t num_findings_;
  double flops_per_pixel_;
  std::int64_t threads_ = 1;
  int num_steps_;
  SolveMarked solve_marked_;  ///< empty: the program marks nothing
  int place_ = 0;
};

struct ProgramKind {
  const char* step = "";
  model::Solver solver = model::Solver::structured;
  std::unique_ptr<Program> (*make)(const model::Step&, const SlotLayout&, const HostShare&) = nullptr;
};

extern const ProgramKind chain_program;  ///< of any chain (model/steps/chain.hpp), by its type instead of its name
extern const ProgramKind correct_topography_program;
extern const ProgramKind correct_topography_batched_program;
extern const ProgramKind invert_network_program;
extern const ProgramKind invert_network_batched_program;

/// Throws: Errc::unsupported when there is none for the step.
const ProgramKind& kind_of(const model::Step& step);

}  // namespace outcrop::gpu
