#include "gpu/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/steps/chain.hpp"

namespace outcrop::gpu {
namespace {

/// A plane of the slot's tile: one run when the tile fills its rows, else a run for each row.
CopyShape shape_of(const Slot& slot, const PlaneLayout& plane) {
  const std::int64_t size = size_bytes(plane.dtype);
  const std::int64_t capacity = slot.layout().pixel_capacity();
  const std::int64_t pixels = slot.rect.pixels();
  if (capacity - pixels < pixel_padding + row_skew)
    return {1, plane.depth * capacity * size, plane.depth * capacity * size};
  return {plane.depth, pixels * size, capacity * size};
}

const PlaneLayout& plane_at(const Slot& slot, int index) {
  return slot.layout().planes()[static_cast<std::size_t>(index)];
}

std::int64_t bytes_of(const Slot& slot, const std::vector<int>& planes) {
  std::int64_t bytes = 0;
  for (const int index : planes) bytes += shape_of(slot, plane_at(slot, index)).bytes();
  return bytes;
}

}  // namespace

void follow(Tally first, Slot& slot) {
  first.then.push_back(std::move(slot.tally));
  slot.tally = std::move(first);
}

Program::Program(const model::Step& step, const SlotLayout& layout)
    : name_(step.name),
      status_(layout.index("status")),
      num_findings_(step.findings.size()),
      flops_per_pixel_(step.flops_per_pixel),
      num_steps_(static_cast<int>(model::steps_of(step).size())) {
  for (const auto& input : step.inputs) {
    names_.push_back(input.name);
    inputs_.push_back(layout.index(input.name));
  }
  for (const auto& output : step.outputs) {
    names_.push_back(output.name);
    outputs_.push_back(layout.index(output.name));
  }
}

int Program::plane(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return absent;
  const auto at = static_cast<std::size_t>(found - names_.begin());
  return at < inputs_.size() ? inputs_[at] : outputs_[at - inputs_.size()];
}

double Program::flops(const Slot& slot) const { return flops_per_pixel_ * static_cast<double>(slot.rect.pixels()); }

std::int64_t Program::bytes_in(const Slot& slot) const { return bytes_of(slot, inputs_); }

std::int64_t Program::bytes_out(const Slot& slot) const {
  return bytes_of(slot, outputs_) + num_steps_ * slot.rect.pixels();
}

void Program::order(Slot& slot, DeviceSlot& device) {
  Stream& stream = device.queue->stream();
  const SlotLayout& layout = slot.layout();
  device.num_batches = 0;
  stream.record(*device.begun);
  for (const int index : inputs_) {
    const PlaneLayout& plane = plane_at(slot, index);
    stream.copy_in(device.device.data() + plane.offset_bytes, device.host.data() + plane.offset_bytes,
                   shape_of(slot, plane));
  }
  stream.record(*device.copied_in);
  launch(slot, device, device.queue->workspace(), stream);
  stream.record(*device.solved);
  for (const int index : outputs_) {
    const PlaneLayout& plane = plane_at(slot, index);
    stream.copy_out(device.host.data() + plane.offset_bytes, device.device.data() + plane.offset_bytes,
                    shape_of(slot, plane));
  }
  const std::int64_t pixels = slot.rect.pixels();
  stream.copy_out(reinterpret_cast<std::byte*>(device.host_findings(layout, place_)),
                  reinterpret_cast<const std::byte*>(device.device_findings(layout, place_)),
                  {num_steps_, pixels, layout.pixel_capacity()});
  stream.record(*device.copied_out);
}

void Program::conclude(Slot& slot, const DeviceSlot& device) const {
  Tally tally;
  tally.deviations.assign(num_findings_, 0);
  const std::uint8_t* status = slot.plane<std::uint8_t>(status_).data_handle();
  const std::uint8_t* findings = device.host_findings(slot.layout(), place_);
  for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) {
    for (std::size_t f = 0; f < num_findings_; ++f) tally.deviations[f] += (findings[i] >> f) & 1U;
    if (status[i] == marked_pixel && solve_marked_) continue;
    if (status[i] >= num_pixel_status) {
      fail(Errc::device, fmt::format("the device gave the status {} at pixel {} of a tile of {}, which is none",
                                     status[i], i, name_));
    }
    ++tally.status[status[i]];
  }
  slot.tally = std::move(tally);
  if (solve_marked_) solve_marked_(slot);
  adjust(slot);
}

const ProgramKind& kind_of(const model::Step& step) {
  if (model::chain_of(step) != nullptr) return chain_program;
  for (const ProgramKind* kind : {&invert_network_program, &invert_network_batched_program, &correct_topography_program,
                                  &correct_topography_batched_program}) {
    if (step.name == kind->step && step.solver == kind->solver) return *kind;
  }
  const bool batched = step.solver == model::Solver::batched;
  fail(Errc::unsupported,
       fmt::format("the device backend has no {}program for the step '{}'", batched ? "batched " : "", step.name));
}

}  // namespace outcrop::gpu
