// The same tests run on the kernels for this machine and on portable ones; each must have been linked with its own.
#include "numerics/kernels/instruction_set.hpp"

#include <string>

#include "tests/catch.hpp"

TEST_CASE("these tests run on the kernels that they name", "[instruction_set]") {
#ifdef POPGRAD_PORTABLE_KERNELS
  CHECK(std::string(popgrad::kernels::instruction_set()) == "portable");
#else
  CHECK(std::string(popgrad::kernels::instruction_set()).size() > 2);
#endif
}
