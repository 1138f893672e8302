// Choosing claims from a list by pattern.
#pragma once
#include <string>
#include <vector>

#include "theory/claims/claim.hpp"

namespace popgrad {

// select_claims() over a given list: claims whose id matches any pattern, or lies in a family that does ("L2" is "L2.*"),
// in the order of the list; all of them if there is no pattern. InputError naming a pattern that matches nothing.
std::vector<Claim> select_from(const std::vector<Claim>& claims, const std::vector<std::string>& patterns);

}  // namespace popgrad
