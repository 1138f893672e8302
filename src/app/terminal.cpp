#include "app/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr int widest = 140;

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The byte at which column `width` starts.
std::size_t byte_at_column(const std::string& text, int width) {
  int column = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!continuation(text[i]) && column++ == width) return i;
  return text.size();
}

}  // namespace

TableStyle terminal_style() {
  TableStyle style;
  const char* columns = std::getenv("COLUMNS");
  const int wanted = columns == nullptr ? 0 : std::atoi(columns);
  winsize size{};
  if (wanted >= 40)
    style.width = wanted;
  else if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    style.width = size.ws_col;
  style.width = std::min(style.width, widest);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  style.colour = isatty(STDOUT_FILENO) && (no_colour == nullptr || *no_colour == '\0') &&
                 (term == nullptr || std::strcmp(term, "dumb") != 0);
  return style;
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE)
    throw EnvironmentError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int display_width(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !continuation(c); }));
}

std::string pad_right(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

std::string pad_left(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ') + text;
}

std::string wrap(const std::string& text, int width, const std::string& first_indent, const std::string& next_indent) {
  std::string lines, line = first_indent;
  bool empty = true;  // nothing but the indent on this line
  const auto end_line = [&] {
    lines += line + "\n";
    line = next_indent;
    empty = true;
  };
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (!empty && display_width(line) + 1 + display_width(word) > width) end_line();
    while (empty && display_width(line) + display_width(word) > width) {
      const int room = std::max(1, width - display_width(line));
      const std::size_t cut = byte_at_column(word, room);
      if (cut >= word.size()) break;
      line += word.substr(0, cut);
      word = word.substr(cut);
      end_line();
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  if (!empty) lines += line + "\n";
  return lines;
}

}  // namespace popgrad
