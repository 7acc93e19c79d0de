// Workers: the threads that compute. The backend and the stages spread their work over them through ParallelFor.
#pragma once

#include <functional>
#include <memory>

#include "pipeline/config.hpp"
#include "pipeline/metered_for.hpp"

namespace outcrop::pipeline {

/// With the serial runner everything runs on the calling thread.
class Workers {
 public:
  Workers(int threads, Runner runner);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const;
  const MeteredFor& decode_for() const;
  const MeteredFor& solve_for() const;

  /// Runs `body` as one of the workers.
  void execute(const std::function<void()>& body) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace outcrop::pipeline
