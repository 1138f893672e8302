#include "reports/gnuplot.hpp"

#include <gnuplot-iostream.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "core/errors.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

// A gnuplot that dies early must give an error, not kill popgrad while it writes to the closed pipe.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnoreBrokenPipe() { sigaction(SIGPIPE, &before_, nullptr); }
  IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
  IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

 private:
  struct sigaction before_ {};
};

std::string shell_quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// gnuplot echoes the offending command and a caret line before the message; the message names a line number.
std::string first_complaint(const fs::path& log) {
  std::ifstream in(log);
  std::string line, first;
  while (std::getline(in, line)) {
    const auto begin = line.find_first_not_of(" \t^");
    if (begin == std::string::npos || line.rfind("gnuplot>", 0) == 0) continue;
    if (line.find("line ") != std::string::npos) return line.substr(begin);
    if (first.empty()) first = line.substr(begin);
  }
  return first;
}

}  // namespace

std::optional<fs::path> find_gnuplot() {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return std::nullopt;
  std::string folder;
  for (const char* c = path;; ++c) {
    if (*c != ':' && *c != '\0') {
      folder += *c;
      continue;
    }
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / "gnuplot";
    std::error_code failed;
    if (fs::is_regular_file(candidate, failed) && access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate);
    if (*c == '\0') return std::nullopt;
    folder.clear();
  }
}

std::string gnuplot_quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::string run_gnuplot(const fs::path& gnuplot, const std::string& commands, const fs::path& log) {
  const IgnoreBrokenPipe guard;
  const std::string command = shell_quote(gnuplot.string()) + " -d 2>" + shell_quote(log.string());
  // gnuplot-iostream drops the exit status of the pipes that it opens, and closes with fclose those that it is given: it
  // gets a second handle on this one.
  std::FILE* pipe = popen(command.c_str(), "w");
  std::FILE* second = pipe == nullptr ? nullptr : fdopen(dup(fileno(pipe)), "w");
  if (second == nullptr) {
    if (pipe != nullptr) pclose(pipe);
    throw EnvironmentError("cannot start " + gnuplot.string());
  }
  try {
    Gnuplot stream(second);
    stream << commands << std::flush;
  } catch (const std::exception&) {
    // The other end is gone; the exit status says why.
  }
  const int status = pclose(pipe);
  const std::string complaint = first_complaint(log);
  std::error_code ignored;
  fs::remove(log, ignored);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  if (!complaint.empty()) return "gnuplot: " + complaint;
  if (WIFEXITED(status)) return "gnuplot: exit status " + std::to_string(WEXITSTATUS(status));
  return "gnuplot: ended by a signal";
}

}  // namespace popgrad
