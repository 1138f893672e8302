// Digest of a text, so that a file of counts says which text it was made from.
#pragma once
#include <string>
#include <string_view>

namespace popgrad {

// SHA-1 (FIPS 180-4) as 40 lower-case hexadecimal digits, as printed by `sha1sum`. Identifies a file; proves nothing.
std::string sha1_hex(std::string_view bytes);

}  // namespace popgrad
