// A progress bar on standard error, where that is a terminal.
#pragma once
#include <cstdint>
#include <string>

namespace popgrad {

class ProgressBar {
 public:
  // Draws nothing if `quiet`, or if standard error is not a terminal.
  ProgressBar(std::string unit, std::int64_t total, bool quiet);
  ~ProgressBar();  // clears the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // "[####......] claim 3/7  T3.gate"
  void show(std::int64_t done, const std::string& message);
  bool active() const { return active_; }

 private:
  std::string unit_;
  std::int64_t total_;
  bool active_;
};

}  // namespace popgrad
