#include "app/terminal.hpp"

#include <cstdlib>

#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("width counts characters, not bytes") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("η₁ × N") == 6);
  CHECK(pad_right("η", 3) == "η  ");
  CHECK(pad_left("η", 3) == "  η");
  CHECK(pad_right("abcd", 3) == "abcd");
}

TEST_CASE("wrapping breaks at spaces, indents what follows and keeps every word") {
  CHECK(wrap("one two three", 9, "", "") == "one two\nthree\n");
  CHECK(wrap("one two three", 9, "- ", "  ") == "- one two\n  three\n");
  CHECK(wrap("one", 9, "", "") == "one\n");
  CHECK(wrap("", 9, "", "").empty());
  CHECK(wrap("one  two", 80, "", "") == "one two\n");
}

TEST_CASE("a word longer than the line is broken, between characters") {
  CHECK(wrap("abcdefgh", 3, "", "") == "abc\ndef\ngh\n");
  CHECK(wrap("ηηηη", 2, "", "") == "ηη\nηη\n");
  CHECK(wrap("x abcdefgh", 4, "", " ") == "x\n abc\n def\n gh\n");
}

TEST_CASE("COLUMNS decides the width, up to 140, nonsense in it does not") {
  const char* before = std::getenv("COLUMNS");
  const std::string saved = before == nullptr ? "" : before;
  for (const auto& [value, width] :
       {std::pair{"80", 80}, {"40", 40}, {"500", 140}, {"0", 140}, {"-7", 140}, {"wide", 140}}) {
    INFO(value);
    setenv("COLUMNS", value, 1);
    const int got = terminal_style().width;
    // Without a usable COLUMNS a real terminal has the say.
    if (width == 140 && std::string(value) != "500")
      CHECK((got >= 40 && got <= 140));
    else
      CHECK(got == width);
  }
  if (before == nullptr)
    unsetenv("COLUMNS");
  else
    setenv("COLUMNS", saved.c_str(), 1);
}
