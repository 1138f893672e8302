#include "reports/hold_interrupts.hpp"

namespace popgrad {
namespace {

volatile std::sig_atomic_t held = 0;

extern "C" void popgrad_hold_signal(int signal) { held = signal; }

}  // namespace

HoldInterrupts::HoldInterrupts() {
  held = 0;
  struct sigaction hold {};
  hold.sa_handler = popgrad_hold_signal;
  hold.sa_flags = SA_RESTART;
  sigemptyset(&hold.sa_mask);
  sigaction(SIGINT, &hold, &interrupt_);
  sigaction(SIGTERM, &hold, &terminate_);
}

HoldInterrupts::~HoldInterrupts() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  if (held != 0) std::raise(static_cast<int>(held));
}

}  // namespace popgrad
