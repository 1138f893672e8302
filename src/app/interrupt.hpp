// Ctrl-C as a request: the work saves its state and returns.
#pragma once
#include <atomic>

#include "core/errors.hpp"

namespace popgrad {

// From now on SIGINT and SIGTERM set the returned flag. The second one ends the program at once, as usual.
const std::atomic<bool>& catch_interrupts();

// 128 + the signal that set the flag: 130 after Ctrl-C, 143 after SIGTERM.
ExitCode interrupted_exit_code();

}  // namespace popgrad
