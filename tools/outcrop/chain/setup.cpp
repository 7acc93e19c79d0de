#include "tools/outcrop/chain/setup.hpp"

#include <utility>

#include "model/steps/chain.hpp"
#include "tools/outcrop/correct_topography/setup.hpp"
#include "tools/outcrop/invert_network/setup.hpp"

namespace outcrop::tools {
namespace {

std::vector<model::ChainLink> links_of(const SecondStep& second) {
  std::vector<model::ChainLink> links{{"timeseries", "timeseries"}};
  if (second.inputs.coherence_is_made) links.push_back({"quality", "quality_mask"});
  return links;
}

/// What the second step reads from files, and all that it writes, under the names that its planes have in the chain.
void add_files(StepSetup& setup, StepSetup second, const model::Chain& chain) {
  for (auto& request : second.requests) {
    if (chain.is_linked(request.name)) continue;
    request.name = model::name_in_chain(chain.second, request.name);
    setup.requests.push_back(std::move(request));
  }
  for (auto& file : second.files) {
    for (auto& tiled : file.tiled) tiled.plane = model::name_in_chain(chain.second, tiled.plane);
    file.group = 1;
    setup.files.push_back(std::move(file));
  }
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

StepSetup joined(StepSetup first, StepSetup second, const std::vector<model::ChainLink>& links) {
  const model::Step after = second.step;
  first.step = model::make_chain(std::move(first.step), after, links);
  append(first.products, second.products);
  append(first.notes, second.notes);
  first.then_deviations = second.deviations;
  add_files(first, std::move(second), *model::chain_of(first.step));
  first.complete = [complete = first.complete, after, links](StepSetup& setup) {
    return model::make_chain(complete(setup), after, links);
  };
  return first;
}

}  // namespace

StepSetup make_chain_setup(const FirstStep& first, const SecondStep& second, const io::SourceOptions& options,
                           Log& log) {
  StepSetup one = prepare_setup(first.settings, first.inputs, first.names, options, log);
  const std::size_t num_planes = one.requests.size();
  StepSetup setup =
      joined(std::move(one), prepare_setup(second.settings, second.inputs, second.names, log), links_of(second));
  open_files(setup, first.inputs.stack.rows, first.inputs.stack.cols, options, log);
  add_source_notes(setup, first.settings, first.inputs);
  refuse_integers(setup.source->describe(), num_planes);
  return setup;
}

}  // namespace outcrop::tools
