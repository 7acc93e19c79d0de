// Step: one piece of science as a value. Says what it reads and writes at a pixel; a backend knows how to run it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"

namespace outcrop::model {

/// Finite values outside [lowest, highest] end the run: they mean that the file is not what it says it is.
struct ValueCheck {
  double lowest = 0;
  double highest = 0;
  bool integers_only = false;    ///< looked at only when the file stores integers
  bool zero_is_no_data = false;  ///< 0 is fine: it means that there is no value
  std::string advice;            ///< the end of the message: what to do
};

/// A float32 plane [depth][pixel] that the step reads.
struct InputPlane {
  std::string name;
  std::int64_t depth = 1;  ///< layers: M pairs, D dates, or 1
  std::string unit;
  std::optional<ValueCheck> check;
};

/// A plane [depth][pixel] that the step writes.
struct OutputPlane {
  std::string name;
  std::int64_t depth = 1;
  std::string unit;
  DType dtype = DType::f32;
};

/// Something that pixels can show and that a user should know of; pixels that show it are counted in Tally::deviations,
/// by the order of Step::findings.
struct Finding {
  std::string name;
  bool deviates = true;  ///< MintPy gives another answer
  std::string warning;   ///< logged once, with the number of pixels before it; empty: only counted
};

/// The parameters of one kind of step; each kind derives its own.
struct StepParameters {
  virtual ~StepParameters() = default;
};

/// How a step's least squares are solved; both give the same answer but for rounding.
enum class Solver {
  structured,  ///< by the structure of the network or of the design matrix
  batched      ///< design matrices of many pixels, normal equations, Cholesky: whatever the structure
};

inline const char* name_of(Solver solver) { return solver == Solver::batched ? "batched" : "structured"; }

/// nullopt: no solver has that name.
inline std::optional<Solver> solver_of(std::string_view name) {
  for (const Solver solver : {Solver::structured, Solver::batched}) {
    if (name == name_of(solver)) return solver;
  }
  return std::nullopt;
}

/// What the work at a pixel depends on: the letters of docs/glossary.md.
struct ProblemSize {
  std::int64_t dates = 0;       ///< D
  std::int64_t pairs = 0;       ///< M; 0 where there are none
  std::int64_t parameters = 0;  ///< P
};

struct Step {
  std::string name;  ///< also what backends look their program up by: "invert-network"
  std::vector<InputPlane> inputs;
  std::vector<OutputPlane> outputs;
  std::vector<Finding> findings;
  ProblemSize size;
  double flops_per_pixel = 0;          ///< structured; for the plan
  double batched_flops_per_pixel = 0;  ///< batched
  Solver solver = Solver::structured;
  std::shared_ptr<const StepParameters> parameters;

  /// Of all planes, that a pixel reads or writes.
  std::int64_t samples() const {
    std::int64_t sum = 0;
    for (const InputPlane& plane : inputs) sum += plane.depth;
    for (const OutputPlane& plane : outputs) sum += plane.depth;
    return sum;
  }

  double flops() const { return solver == Solver::batched ? batched_flops_per_pixel : flops_per_pixel; }

  /// The parameters as what they are. Throws Errc::internal when they are of another kind.
  template <class T>
  const T& as() const {
    const auto* p = dynamic_cast<const T*>(parameters.get());
    if (p == nullptr) fail(Errc::internal, "step '" + name + "' carries parameters of another step");
    return *p;
  }
};

}  // namespace outcrop::model
