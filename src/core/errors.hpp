// Every way popgrad can end badly, and the exit code that goes with it.
#pragma once
#include <stdexcept>
#include <string>

namespace popgrad {

enum class ExitCode : int {
  ok = 0,
  refuted = 1,
  usage = 2,        // bad option, bad file, bad value
  undecided = 3,    // undecided, or nothing but "not applicable"
  changed = 4,      // differs from --baseline
  environment = 5,  // disk full, permission lost while running
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Something the user typed or a file the user named: one line "argument: got value, expected ...".
class InputError : public Error {
 public:
  InputError(const std::string& argument, const std::string& got, const std::string& expected);
};

// The machine failed, not the user.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& what) : Error(ExitCode::environment, what) {}
};

// A hypothesis of a public function does not hold; a bug in the caller unless the caller checks user input.
class HypothesisError : public std::domain_error {
 public:
  HypothesisError(const std::string& function, const std::string& argument, const std::string& expected,
                  const std::string& got);
};

inline void require(bool holds, const char* function, const char* argument, const std::string& expected,
                    const std::string& got) {
  if (!holds) throw HypothesisError(function, argument, expected, got);
}

}  // namespace popgrad
