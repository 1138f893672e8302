// Bytes as printable text: one character, or a backslash escape.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace popgrad {

// \n \t \r \f \\ for those five; \xHH for blanks, quotes, '#', control bytes and bytes above 0x7e, so that a cell of a TSV
// neither looks empty nor is taken for a quote or a comment by a reader of tables; every other byte is itself.
std::string escape_byte(unsigned char byte);

// Inverse of escape_byte; nothing if `text` is not the escape of any byte.
std::optional<unsigned char> unescape_byte(std::string_view text);

// `text` on one line, cut after `most` bytes: control bytes and bytes above 0x7e escaped, the rest unchanged.
std::string one_line(std::string_view text, std::size_t most = 60);

// The same between single quotes, for messages.
std::string quoted(std::string_view text, std::size_t most = 60);

// NUL and the control bytes that do not occur in text files: all but tab, newline, carriage return, form feed.
bool is_binary(unsigned char byte);

}  // namespace popgrad
