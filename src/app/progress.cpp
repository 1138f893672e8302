#include "app/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace popgrad {
namespace {

constexpr int bar = 10;
constexpr std::size_t longest_line = 79;

}  // namespace

ProgressBar::ProgressBar(std::string unit, std::int64_t total, bool quiet)
    : unit_(std::move(unit)), total_(std::max<std::int64_t>(1, total)), active_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (active_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(std::int64_t done, const std::string& message) {
  if (!active_) return;
  const auto filled = static_cast<std::size_t>(bar * std::clamp<std::int64_t>(done, 0, total_) / total_);
  std::string line = fmt::format("[{}{}] {} {}/{}  {}", std::string(filled, '#'), std::string(bar - filled, '.'), unit_,
                                 done, total_, message);
  if (line.size() > longest_line) line.resize(longest_line);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

}  // namespace popgrad
