#include "core/sha1.hpp"

#include <boost/uuid/detail/sha1.hpp>
#include <type_traits>

namespace popgrad {

std::string sha1_hex(std::string_view bytes) {
  boost::uuids::detail::sha1 sha1;
  sha1.process_bytes(bytes.data(), bytes.size());
  boost::uuids::detail::sha1::digest_type digest;
  sha1.get_digest(digest);
  // Boost before 1.86 gives five 32-bit words, later twenty bytes; most significant digit first in both.
  constexpr unsigned nibbles = 2 * sizeof(std::remove_extent_t<decltype(digest)>);
  std::string hex;
  for (const auto word : digest)
    for (unsigned i = nibbles; i-- > 0;) hex += "0123456789abcdef"[(word >> (4 * i)) & 0xFU];
  return hex;
}

}  // namespace popgrad
