// Runs the built program as a user would, and keeps everything it said.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace popgrad {

struct Finished {
  int code = -1;  // exit code, or 1000 + the signal that ended it
  std::string out, err;
};

enum class StandardOutput { kept, full_disk, closed_pipe };

struct RunSetup {
  std::filesystem::path folder;                                   // current folder; empty: the test's own
  std::map<std::string, std::optional<std::string>> environment;  // set, or unset if empty
  StandardOutput out = StandardOutput::kept;
  std::filesystem::path interrupt_when_not_empty;  // sends SIGINT once this file has content
  std::function<bool(int)> kill_when;  // asked with the process id, again and again; sends SIGKILL once it says so
  std::int64_t file_size_limit = 0;                // RLIMIT_FSIZE in bytes: no file may grow beyond; 0: none
};

// Neither standard output nor standard error is a terminal. Throws std::runtime_error if the program cannot be started.
Finished run_popgrad(const std::vector<std::string>& arguments, const RunSetup& setup = {});

// Number of lines; a last line without a newline counts.
int lines(const std::string& text);

}  // namespace popgrad
