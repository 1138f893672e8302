#include "reports/hold_interrupts.hpp"

#include "tests/catch.hpp"

using popgrad::HoldInterrupts;

namespace {
volatile std::sig_atomic_t caught = 0;
extern "C" void catch_in_test(int) { caught = caught + 1; }
}  // namespace

TEST_CASE("a signal that arrives while a figure is drawn takes its course afterwards, once") {
  struct sigaction own {}, before {};
  own.sa_handler = catch_in_test;
  sigemptyset(&own.sa_mask);
  sigaction(SIGINT, &own, &before);
  {
    const HoldInterrupts hold;
    std::raise(SIGINT);
    CHECK(caught == 0);
  }
  CHECK(caught == 1);
  { const HoldInterrupts hold; }
  CHECK(caught == 1);
  std::raise(SIGINT);
  CHECK(caught == 2);
  sigaction(SIGINT, &before, nullptr);
}
