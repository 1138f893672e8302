// The command line.
#pragma once

namespace popgrad {

// Parses, runs the verb and returns its exit code. Throws Error for everything that ends in one line on standard error;
// bad usage has ExitCode::usage.
int run(int argc, const char* const* argv);

}  // namespace popgrad
