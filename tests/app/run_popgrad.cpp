#include "run_popgrad.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "temporary_folder.hpp"

namespace popgrad {
namespace {

void redirect(int to, const char* file, int flags) {
  const int descriptor = ::open(file, flags, 0600);
  if (descriptor < 0) ::_exit(126);
  ::dup2(descriptor, to);
  ::close(descriptor);
}

void close_reader_of_stdout() {
  int ends[2];
  if (::pipe(ends) != 0) ::_exit(126);
  ::close(ends[0]);
  ::dup2(ends[1], STDOUT_FILENO);
  ::close(ends[1]);
}

// In the child: never returns.
[[noreturn]] void start(std::vector<char*> arguments, const RunSetup& setup, const std::string& out,
                        const std::string& err) {
  if (!setup.folder.empty() && ::chdir(setup.folder.c_str()) != 0) ::_exit(126);
  for (const auto& [name, value] : setup.environment) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  if (setup.file_size_limit > 0) {
    const auto bytes = static_cast<rlim_t>(setup.file_size_limit);
    const rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
  }
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  switch (setup.out) {
    case StandardOutput::kept:
      redirect(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
      break;
    case StandardOutput::full_disk:
      redirect(STDOUT_FILENO, "/dev/full", O_WRONLY);
      break;
    case StandardOutput::closed_pipe:
      close_reader_of_stdout();
      break;
  }
  redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  ::execv(POPGRAD_BINARY, arguments.data());
  ::_exit(127);
}

void interrupt_once_written(pid_t child, const std::filesystem::path& file) {
  std::error_code failed;
  for (int i = 0; i < 3000; ++i) {
    const auto size = std::filesystem::file_size(file, failed);
    if (!failed && size > 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(child, SIGINT);
}

// Without a pause between the questions: a file that is being written is there for less than a millisecond.
void kill_when(pid_t child, const std::function<bool(int)>& due) {
  for (;;) {
    if (due(child)) break;
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == child) return;
  }
  ::kill(child, SIGKILL);
}

}  // namespace

Finished run_popgrad(const std::vector<std::string>& arguments, const RunSetup& setup) {
  const TemporaryFolder output;
  const std::string out = output / "out", err = output / "err";
  std::vector<std::string> words = {POPGRAD_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) start(pointers, setup, out, err);
  if (!setup.interrupt_when_not_empty.empty()) interrupt_once_written(child, setup.interrupt_when_not_empty);
  if (setup.kill_when) kill_when(child, setup.kill_when);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  Finished finished;
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  if (finished.code == 126 || finished.code == 127) throw std::runtime_error("cannot start " POPGRAD_BINARY);
  finished.out = text_of(out);
  finished.err = text_of(err);
  return finished;
}

int lines(const std::string& text) {
  const auto breaks = std::count(text.begin(), text.end(), '\n');
  return static_cast<int>(breaks) + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

}  // namespace popgrad
