#include "core/byte_text.hpp"

namespace popgrad {
namespace {

bool is_control(unsigned char byte) { return byte < 0x20 || byte > 0x7e; }

std::string hexadecimal(unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 0xF]};
}

}  // namespace

std::string escape_byte(unsigned char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '\f':
      return "\\f";
    case '\\':
      return "\\\\";
    case ' ':
    case '"':
    case '\'':
    case '#':
      return hexadecimal(byte);
    default:
      return is_control(byte) ? hexadecimal(byte) : std::string(1, static_cast<char>(byte));
  }
}

std::optional<unsigned char> unescape_byte(std::string_view text) {
  // 256 candidates: searching them makes this the inverse by construction.
  for (int byte = 0; byte < 256; ++byte)
    if (escape_byte(static_cast<unsigned char>(byte)) == text) return static_cast<unsigned char>(byte);
  return std::nullopt;
}

std::string one_line(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    line += is_control(byte) ? escape_byte(byte) : std::string(1, c);
  }
  return text.size() > most ? line + "..." : line;
}

std::string quoted(std::string_view text, std::size_t most) {
  std::string line(1, '\'');
  line += one_line(text, most);
  line += '\'';
  return line;
}

bool is_binary(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f') || byte == 0x7f;
}

}  // namespace popgrad
