// Chains of two steps, declared.
#include "model/steps/chain.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace outcrop::model {
namespace {

template <class Plane>
const Plane* find(const std::vector<Plane>& planes, const std::string& name) {
  const auto found = std::find_if(planes.begin(), planes.end(), [&](const Plane& plane) { return plane.name == name; });
  return found == planes.end() ? nullptr : &*found;
}

void check(const Chain& chain) {
  for (const ChainLink& link : chain.links) {
    const OutputPlane* const output = find(chain.first.outputs, link.output);
    const InputPlane* const input = find(chain.second.inputs, link.input);
    const std::string text = "the link of " + link.output + " of " + chain.first.name + " to " + link.input + " of " +
                             chain.second.name + " in a chain";
    OUTCROP_EXPECT(output != nullptr && input != nullptr, text + " names a plane that is not there");
    OUTCROP_EXPECT(output->depth == input->depth && output->dtype == DType::f32, text + " joins different planes");
    OUTCROP_EXPECT(!input->check, text + " joins a plane whose values only a file can be blamed for");
  }
}

}  // namespace

bool Chain::is_linked(const std::string& input) const {
  return std::any_of(links.begin(), links.end(), [&](const ChainLink& link) { return link.input == input; });
}

std::string name_in_chain(const Step& second, const std::string& plane) { return second.name + "." + plane; }

Step make_chain(Step first, Step second, std::vector<ChainLink> links) {
  auto chain = std::make_shared<Chain>();
  chain->first = std::move(first);
  chain->second = std::move(second);
  chain->links = std::move(links);
  check(*chain);
  Step step;
  step.name = chain->first.name + " then " + chain->second.name;
  step.inputs = chain->first.inputs;
  step.outputs = chain->first.outputs;
  step.findings = chain->first.findings;
  step.size = chain->first.size;
  step.flops_per_pixel = chain->first.flops_per_pixel + chain->second.flops_per_pixel;
  step.batched_flops_per_pixel = chain->first.batched_flops_per_pixel + chain->second.batched_flops_per_pixel;
  for (InputPlane plane : chain->second.inputs) {
    if (chain->is_linked(plane.name)) continue;
    plane.name = name_in_chain(chain->second, plane.name);
    step.inputs.push_back(std::move(plane));
  }
  for (OutputPlane plane : chain->second.outputs) {
    plane.name = name_in_chain(chain->second, plane.name);
    step.outputs.push_back(std::move(plane));
  }
  step.parameters = std::move(chain);
  return step;
}

SlotLayout seen_by_second(const Chain& chain, const SlotLayout& layout) {
  const std::string prefix = name_in_chain(chain.second, "");
  std::vector<std::string> names;
  for (const PlaneLayout& plane : layout.planes()) {
    names.push_back(plane.name.starts_with(prefix) ? plane.name.substr(prefix.size()) : "");
    for (const ChainLink& link : chain.links) {
      if (plane.name == link.output) names.back() = link.input;
    }
  }
  return layout.renamed(names);
}

const Chain* chain_of(const Step& step) { return dynamic_cast<const Chain*>(step.parameters.get()); }

std::vector<const Step*> steps_of(const Step& step) {
  const Chain* const chain = chain_of(step);
  return chain == nullptr ? std::vector<const Step*>{&step} : std::vector<const Step*>{&chain->first, &chain->second};
}

Step solved_by(Step step, Solver solver) {
  step.solver = solver;
  if (const Chain* const chain = chain_of(step)) {
    auto solved = std::make_shared<Chain>(*chain);
    solved->first = solved_by(std::move(solved->first), solver);
    solved->second = solved_by(std::move(solved->second), solver);
    step.parameters = std::move(solved);
  }
  return step;
}

}  // namespace outcrop::model
