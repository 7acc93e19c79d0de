// SlotPool: the N slots of a run. The tokens of the graph are their numbers.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "pipeline/plan.hpp"

namespace outcrop::pipeline {

/// What the user should know while a run goes on.
using Warn = std::function<void(const std::string&)>;

class SlotPool {
 public:
  /// Fewer slots than planned when there is no memory for more. Throws Errc::out_of_memory with the bytes when there is
  /// none for the first.
  SlotPool(const Plan& plan, Backend& backend) : planned_(plan.slots) {
    slots_.reserve(static_cast<std::size_t>(plan.slots));
    try {
      for (int i = 0; i < plan.slots; ++i) slots_.push_back(backend.allocate(plan.layout));
    } catch (const Error& error) {
      if (slots_.empty() || error.code() != Errc::out_of_memory) throw;
      shortage_ = error.what();
    }
  }

  /// Gives the memory of one slot back, for the reason that `shortage` says.
  void drop(const std::string& shortage) {
    slots_.pop_back();
    shortage_ = shortage;
  }

  /// Says that there are fewer slots than planned, when there are.
  void tell(const Warn& warn) const {
    if (size() < planned_ && warn) {
      warn(fmt::format("{} tiles in flight instead of {}: {}", size(), planned_, shortage_));
    }
  }

  int size() const { return static_cast<int>(slots_.size()); }
  Slot& operator[](int slot) { return slots_[static_cast<std::size_t>(slot)]; }

  /// Puts a tile into a slot.
  void take(int slot, std::int64_t tile, const TileRect& rect) {
    ++alive_;
    Slot& s = (*this)[slot];
    s.tile = tile;
    s.rect = rect;
    s.tally = {};
    s.num_read = 0;
    s.num_decoded = 0;
  }
  void give_back(int) { --alive_; }

  /// Slots that hold a tile now. 0 before and after a run, whatever happened in it.
  int alive() const { return alive_.load(); }

 private:
  std::vector<Slot> slots_;
  int planned_;
  std::string shortage_;
  std::atomic<int> alive_{0};
};

}  // namespace outcrop::pipeline
