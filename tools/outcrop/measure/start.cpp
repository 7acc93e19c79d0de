#include "tools/outcrop/measure/start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/log.hpp"
#include "pipeline/report_observation.hpp"
#include "tools/outcrop/measure/rates.hpp"
#include "tools/outcrop/simulate/simulate.hpp"

namespace outcrop::tools {
namespace {

/// In the child, which may do little more: other threads of the parent may have held any lock.
[[noreturn]] void become_run(const char* folder) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  if (::chdir(folder) == 0) {
    ::execl("/proc/self/exe", "outcrop", "invert-network", "inputs/ifgramStack.h5", "--progress", "none", "--report",
            "report.json", nullptr);
  }
  ::_exit(127);
}

/// As the run itself reports it: the time that predictions are compared with.
double run_s(const std::string& folder) {
  const pid_t child = ::fork();
  if (child == 0) become_run(folder.c_str());
  if (child < 0) fail(Errc::io, fmt::format("measuring the start: starting a run failed: {}", std::strerror(errno)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    fail(Errc::io, fmt::format("measuring the start: a run on the small scene in {} ended with status {}; run `outcrop "
                               "invert-network` on a scene of `outcrop simulate` to see why",
                               folder, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
  }
  return pipeline::read_report_observation(folder + "/report.json").host_s.value_or(0);
}

}  // namespace

double measure_start(const std::string& folder, const std::atomic<int>& stop) {
  Log log(Verbosity::quiet);
  SimulateOptions scene;
  scene.dir = folder + "/tiny";
  scene.rows = scene.cols = 8;
  scene.network.dates = 10;
  simulate(scene, log, stop);
  std::array<double, 3> seconds{};
  for (double& s : seconds) {
    check_stop(&stop);
    try {
      s = run_s(scene.dir);
    } catch (const Error&) {
      check_stop(&stop);  // the terminal's signal reaches both
      throw;
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[1];
}

}  // namespace outcrop::tools
