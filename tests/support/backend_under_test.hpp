// The backend that a contract test tries: its body is compiled once and linked with each backend in turn.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "core/parallel.hpp"

namespace outcrop::test {

/// `parallel` spreads the work where the backend spreads any; it must outlive the backend.
std::unique_ptr<Backend> backend_under_test(const ParallelFor& parallel);

}  // namespace outcrop::test
