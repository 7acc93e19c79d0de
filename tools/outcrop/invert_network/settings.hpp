// What invert-network was asked to do: flags over template over MintPy's defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/mintpy/template.hpp"
#include "model/steps/invert_network.hpp"
#include "tools/outcrop/invert_network/observation.hpp"

namespace outcrop::tools {

/// As given on the command line; nothing: not given.
struct InvertFlags {
  std::string stack;
  std::optional<std::string> dataset;
  std::optional<std::string> water_mask;
  std::vector<std::string> outputs;  ///< empty or time series, quality, count
  bool skip_reference = false;
  std::optional<std::string> weight;
  bool min_norm_phase = false;
  std::optional<std::string> mask_dataset;
  std::optional<double> mask_threshold;
  std::optional<double> min_redundancy;
  bool calc_covariance = false;
  std::optional<std::string> status_file;
  bool mintpy_compat = false;
};

struct WaterMaskWish {
  std::string path;
  bool required = false;  ///< named by the user, not MintPy's automatic name
};

struct InvertSettings {
  Observation observation;
  std::string weight_word;  ///< as given, for the attribute
  model::WeightFunction weight = model::WeightFunction::variance;
  bool weight_is_ignored = false;  ///< offsets have no coherence: weights of coherence are none, as in MintPy
  std::optional<WaterMaskWish> water_mask;
  std::string mask_dataset;    ///< empty: none
  std::string mask_attribute;  ///< as MintPy spells it
  double mask_threshold = 0.4;
  double min_redundancy = 1;
  bool min_norm_velocity = true;
  bool skip_reference = false;
  bool calc_covariance = false;
  std::string status_file;     ///< empty: none
  bool mintpy_compat = false;  ///< MintPy's answer wherever MintPy finishes
};

/// Throws Errc::usage naming the flag or the template key, its value and what it can be.
InvertSettings resolve_settings(const InvertFlags& flags, const std::optional<io::mintpy::Template>& given);

/// mintpy.compute.maxMemory in GB when the template has a number there.
std::optional<double> template_memory_gb(const std::optional<io::mintpy::Template>& given);

}  // namespace outcrop::tools
