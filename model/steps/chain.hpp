// A chain: two steps in one pass, the second of which reads planes that the first has just written.
#pragma once

#include <string>
#include <vector>

#include "core/slot.hpp"
#include "model/step.hpp"

namespace outcrop::model {

/// An output of the first step that is an input of the second.
struct ChainLink {
  std::string output;
  std::string input;
};

struct Chain final : StepParameters {
  Step first;
  Step second;
  std::vector<ChainLink> links;

  /// Whether the plane is an input of the second step that the first one gives.
  bool is_linked(const std::string& input) const;
};

/// The name in a chain of a plane of its second step that is no link; planes of the first step keep their names.
std::string name_in_chain(const Step& second, const std::string& plane);

/// Declares the planes of both.
///   in   those of the first step; those of the second that are not linked
///   out  those of the first step, the linked ones too; those of the second
/// The findings are those of the first step: a tally holds those of the second apart.
/// Throws Errc::internal when a link joins planes that are not there, or that differ in depth or type.
Step make_chain(Step first, Step second, std::vector<ChainLink> links);

/// A layout of the chain's planes under the names that its second step knows; those it does not know are nameless.
SlotLayout seen_by_second(const Chain& chain, const SlotLayout& layout);

/// Null when the step is a single one.
const Chain* chain_of(const Step& step);

/// The steps of a chain in their order, else the step itself. They live as long as `step`.
std::vector<const Step*> steps_of(const Step& step);

/// The step, each of a chain's steps too, solved by `solver`.
Step solved_by(Step step, Solver solver);

}  // namespace outcrop::model
