#include "app/interrupt.hpp"

#include <csignal>

namespace popgrad {
namespace {

std::atomic<bool> requested{false};
std::atomic<int> by_signal{SIGINT};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free, "used in a signal handler");

extern "C" void popgrad_on_interrupt(int signal) {
  by_signal.store(signal);
  requested.store(true);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = popgrad_on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // each signal is caught once
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return requested;
}

ExitCode interrupted_exit_code() { return static_cast<ExitCode>(128 + by_signal.load()); }

}  // namespace popgrad
