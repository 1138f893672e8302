// Ctrl-C while a figure is being drawn: the figure is finished or given up cleanly, then the signal takes its course.
#pragma once
#include <csignal>

namespace popgrad {

// Keeps SIGINT and SIGTERM back while it lives and raises the last one again when it ends. A signal mask would not do: threads of
// OpenMP that do not hold it would take the signal. Not nested, one thread at a time.
class HoldInterrupts {
 public:
  HoldInterrupts();
  ~HoldInterrupts();
  HoldInterrupts(const HoldInterrupts&) = delete;
  HoldInterrupts& operator=(const HoldInterrupts&) = delete;

 private:
  struct sigaction interrupt_ {}, terminate_ {};
};

}  // namespace popgrad
