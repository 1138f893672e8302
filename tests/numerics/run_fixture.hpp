// Runs on a folder, for the tests of what they leave there.
#pragma once
#include <functional>
#include <map>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "numerics/training_run.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad::fixture {

namespace fs = std::filesystem;

inline std::string bytes(const fs::path& path) { return read_file("test", path); }

// What an action says when it fails, with that exit code and in one line; empty if it does not.
inline std::string complaint(const std::function<void()>& action, ExitCode code) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

inline void run_it(const TrainOptions& options, const fs::path& folder, bool resume = false) {
  train(options, fixture::small_corpus(), folder, resume);
}

inline std::map<std::int64_t, std::string> lines_by_step(const fs::path& log) {
  std::map<std::int64_t, std::string> lines;
  std::istringstream in(bytes(log));
  for (std::string line; std::getline(in, line);) lines[std::stoll(line.substr(line.find(':') + 1))] = line;
  return lines;
}

}  // namespace popgrad::fixture
