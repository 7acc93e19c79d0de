#include "tools/outcrop/measure/rehearsal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tools/outcrop/measure/rates.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* report_name = "report.json";

/// In the child, which may do little more: other threads of the parent may have held any lock.
[[noreturn]] void become_run(const char* folder, char* const* arguments) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  if (::chdir(folder) == 0) ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

void run_once(const std::string& folder, const std::vector<std::string>& arguments, const std::string& products) {
  std::vector<std::string> words = {"outcrop"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(),
               {"--quiet", "--progress", "none", "--device", "cpu", "--out-dir", products, "--report", report_name});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) become_run(folder.c_str(), pointers.data());
  if (child < 0) fail(Errc::io, fmt::format("measuring runs: starting one failed: {}", std::strerror(errno)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    fail(Errc::io,
         fmt::format("measuring runs: `outcrop {}` on a scene of `outcrop simulate` in {} ended with status "
                     "{}; run the two by hand to see why",
                     fmt::join(arguments, " "), folder, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
  }
}

Rehearsal read_report(const std::string& path) {
  std::ifstream file(path);
  const auto report = nlohmann::json::parse(file);
  const auto processor_s = [&](const char* stage) { return report.at("stages").at(stage).at("cpu_s").get<double>(); };
  const auto& bytes = report.at("bytes");
  Rehearsal run;
  run.wall_s = report.at("wall_s").get<double>();
  run.pixels = report.at("pixels").at("solved").get<double>();
  run.read_s = processor_s("read");
  run.decode_s = processor_s("decode");
  run.solve_s = processor_s("solve");
  run.write_s = processor_s("write");
  run.read_bytes = bytes.at("read").get<double>();
  run.packed_bytes = bytes.at("packed").get<double>();
  run.plain_bytes = bytes.at("decoded").get<double>() - run.packed_bytes - bytes.at("direct").get<double>();
  run.written_bytes = bytes.at("written").get<double>();
  return run;
}

}  // namespace

Rehearsal rehearse(const std::string& folder, const std::vector<std::string>& arguments, const std::atomic<int>& stop) {
  std::array<Rehearsal, 3> runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_stop(&stop);
    try {
      run_once(folder, arguments, i == 0 ? first_run : fmt::format("run-{}", i));
    } catch (const Error&) {
      check_stop(&stop);  // the terminal's signal reaches both
      throw;
    }
    runs[i] = read_report(folder + "/" + report_name);
  }
  std::sort(runs.begin(), runs.end(), [](const Rehearsal& a, const Rehearsal& b) { return a.wall_s < b.wall_s; });
  return runs[1];
}

}  // namespace outcrop::tools
