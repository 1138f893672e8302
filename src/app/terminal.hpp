// What the terminal can do, and writing to standard output.
#pragma once
#include <string>

namespace popgrad {

struct TableStyle {
  int width = 140;  // columns available
  bool colour = false;
};

// Width: COLUMNS if it is a number of at least 40, else the terminal's, else 140; never above 140. Colour: standard output
// is a terminal, TERM is not "dumb" and NO_COLOR is unset or empty.
TableStyle terminal_style();

// Writes to standard output. A closed pipe is not an error (whoever closed it has seen enough); a full disk throws
// EnvironmentError.
void print(const std::string& text);

// Columns that a UTF-8 text takes: its code points, all taken to be one column wide.
int display_width(const std::string& text);

// The text padded with spaces on the right, or on the left, to `width` columns; longer texts stay as they are.
std::string pad_right(const std::string& text, int width);
std::string pad_left(const std::string& text, int width);

// Lines of at most `width` columns broken at spaces; a longer word is broken where the line ends.
std::string wrap(const std::string& text, int width, const std::string& first_indent, const std::string& next_indent);

}  // namespace popgrad
