// The list of claims, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "theory/claims/claim.hpp"

namespace popgrad {

// Id and statement, hypotheses, closed forms and source of each claim, in lines of at most `width` columns.
std::string claims_text(const std::vector<Claim>& claims, int width);

// {"format":"popgrad-claims","version":1,"statement_note":...,"claims":[{"id","statement","hypotheses":[...],"source",
// "closed_forms":[{"name","text","latex","mathml"}]}]}
std::string claims_json(const std::vector<Claim>& claims);

}  // namespace popgrad
