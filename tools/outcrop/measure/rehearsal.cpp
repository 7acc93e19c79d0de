#include "tools/outcrop/measure/rehearsal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.hpp"
#include "tools/outcrop/measure/rates.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* report_name = "report.json";
constexpr const char* messages_name = "messages.txt";

/// Starts the program again in a folder, its messages in a file there. Not by fork(): to copy what this process holds
/// takes time that would be counted as the run's.
pid_t start_run(const std::string& folder, char* const* arguments) {
  const std::string messages = folder + "/" + messages_name;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(Errc::io, fmt::format("measuring runs: starting one failed: {}", std::strerror(error)));
  return child;
}

/// The end of what the run said, as part of a sentence.
std::string last_words(const std::string& folder) {
  std::ifstream file(folder + "/" + messages_name);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last.empty() ? "it said nothing" : "it said: " + last;
}

std::string end_of(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return fmt::format("was ended by signal {}", WTERMSIG(status));
}

/// Gives: its status. A signal is passed on: it may have reached this process alone.
int wait_for(pid_t child, const std::atomic<int>& stop) {
  constexpr auto patience = std::chrono::milliseconds(5);
  bool told = false;
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    const int signal = stop.load();
    if (signal != 0 && !told) told = ::kill(child, signal) == 0;
    std::this_thread::sleep_for(patience);
  }
}

void run_once(const std::string& folder, const std::vector<std::string>& arguments, const std::string& products,
              const std::atomic<int>& stop) {
  std::vector<std::string> words = {"outcrop"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(),
               {"--quiet", "--progress", "none", "--device", "cpu", "--out-dir", products, "--report", report_name});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int status = wait_for(start_run(folder, pointers.data()), stop);
  if (status != 0) {
    fail(Errc::io, fmt::format("measuring runs: `outcrop {}` on a simulated scene in {} {}; {}",
                               fmt::join(arguments, " "), folder, end_of(status), last_words(folder)));
  }
}

/// Throws what nlohmann does when something is not there.
Rehearsal rehearsal_of(const nlohmann::json& report) {
  const auto processor_s = [&](const char* stage) { return report.at("stages").at(stage).at("cpu_s").get<double>(); };
  const auto& bytes = report.at("bytes");
  Rehearsal run;
  run.wall_s = report.at("wall_s").get<double>();
  run.start_s = report.at("start_s").get<double>();
  run.pixels = report.at("pixels").at("solved").get<double>();
  run.read_s = processor_s("read");
  run.decode_s = processor_s("decode");
  run.solve_s = processor_s("solve");
  run.write_s = processor_s("write");
  run.packed_bytes = bytes.at("packed").get<double>();
  const double not_packed = bytes.at("decoded").get<double>() - run.packed_bytes;
  run.direct_bytes = bytes.at("direct").get<double>();
  run.plain_bytes = not_packed - run.direct_bytes;
  run.stored_bytes = bytes.at("read").get<double>() - not_packed;
  run.written_bytes = bytes.at("written").get<double>();
  return run;
}

Rehearsal read_report(const std::string& path) {
  std::ifstream file(path);
  try {
    return rehearsal_of(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    fail(Errc::io, fmt::format("measuring runs: the report {} of a run on a simulated scene does not say what is "
                               "needed: {}; see that the storage has room, and measure again",
                               path, error.what()));
  }
}

}  // namespace

Rehearsal rehearse(const std::string& folder, const std::vector<std::string>& arguments, const std::atomic<int>& stop) {
  std::array<Rehearsal, 3> runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    check_stop(&stop);
    try {
      run_once(folder, arguments, i == 0 ? first_run : fmt::format("run-{}", i), stop);
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
