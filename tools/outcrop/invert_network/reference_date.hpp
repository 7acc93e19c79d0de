// The date that the covariance of a series is relative to, as MintPy finds it.
#pragma once

#include <string>

#include "model/network.hpp"

namespace outcrop::tools {

/// Index in the network of mintpy.reference.date of smallbaselineApp.cfg beside the folder of the stack: a date, or the
/// name of a text file that begins with one. Throws Errc::input saying what is missing, or that the network has no such
/// date.
int covariance_reference_date(const std::string& stack_path, const model::Network& network);

}  // namespace outcrop::tools
