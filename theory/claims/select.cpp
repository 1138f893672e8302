#include "theory/claims/select.hpp"

#include <algorithm>

#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "theory/claims/glob_match.hpp"

namespace popgrad {
namespace {

bool matches(const std::string& pattern, const Claim& claim) {
  return glob_match(pattern, claim.id) || glob_match(pattern + ".*", claim.id);
}

}  // namespace

std::vector<Claim> select_from(const std::vector<Claim>& claims, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return claims;
  for (const std::string& pattern : patterns) {
    if (std::any_of(claims.begin(), claims.end(), [&](const Claim& c) { return matches(pattern, c); })) continue;
    std::vector<std::string> ids;
    for (const Claim& c : claims) ids.push_back(c.id);
    throw InputError(
        "claim", "'" + pattern + "'",
        "the id of a claim or a pattern such as 'T3.*' (popgrad claims lists them)" + did_you_mean(pattern, ids));
  }
  std::vector<Claim> chosen;
  for (const Claim& claim : claims)
    if (std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(p, claim); }))
      chosen.push_back(claim);
  return chosen;
}

}  // namespace popgrad
