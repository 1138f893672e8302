// Running gnuplot so that every way it can fail is noticed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace popgrad {

// The executable `gnuplot` on PATH, or nothing.
std::optional<std::filesystem::path> find_gnuplot();

// A gnuplot string constant: single quotes, in which nothing is expanded.
std::string gnuplot_quote(const std::string& text);

// Feeds `commands` to `gnuplot` with its default settings (no start-up file of the user) and waits. Returns an empty string
// if it exits with status 0, else what went wrong in one line: its first complaint, or its exit status. `log` is a scratch
// file, removed afterwards. Throws nothing for a gnuplot that fails; EnvironmentError if no process can be started.
std::string run_gnuplot(const std::filesystem::path& gnuplot, const std::string& commands, const std::filesystem::path& log);

}  // namespace popgrad
