// Runs the command line; whatever goes wrong becomes one line on standard error and an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "app/cli.hpp"
#include "core/errors.hpp"

namespace {

// One line, whatever a file name or a library's message contains.
int fail(popgrad::ExitCode code, std::string message) {
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  std::fprintf(stderr, "popgrad: %s\n", message.c_str());
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen where it is written to, so that gnuplot's death is not ours
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails, and is reported as such
  using popgrad::ExitCode;
  try {
    return popgrad::run(argc, argv);
  } catch (const popgrad::Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::environment, "out of memory");
  } catch (const std::exception& error) {
    return fail(ExitCode::environment, std::string("internal error: ") + error.what());
  } catch (...) {
    return fail(ExitCode::environment, "internal error of unknown kind");
  }
}
