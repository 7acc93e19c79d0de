// What the host allows: plausible, and never more than the machine has.
#include "pipeline/host.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

using namespace outcrop;

TEST_CASE("SLURM's limits lower what may be used") {
  ::setenv("SLURM_CPUS_PER_TASK", "1", 1);
  ::setenv("SLURM_MEM_PER_NODE", "100", 1);
  CHECK(pipeline::usable_threads().value == 1);
  CHECK(pipeline::usable_memory().value == 100LL * 1024 * 1024);
  CHECK(pipeline::usable_memory().reason.find("SLURM") != std::string::npos);
  ::unsetenv("SLURM_CPUS_PER_TASK");
  ::unsetenv("SLURM_MEM_PER_NODE");
}

TEST_CASE("without limits of a job the machine's own count") {
  CHECK(pipeline::usable_threads().value >= 1);
  CHECK(pipeline::usable_memory().value > 1024 * 1024);
  CHECK(pipeline::peak_resident_bytes() > 100 * 1024);
  CHECK(pipeline::seconds_since_exec() >= -0.1);
  CHECK(pipeline::seconds_since_exec() < 3600);
}
