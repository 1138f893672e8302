#include "theory/claims/select.hpp"

#include <set>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/glob_match.hpp"

using namespace popgrad;

namespace {

std::vector<std::string> ids(const std::vector<Claim>& claims) {
  std::vector<std::string> names;
  for (const Claim& claim : claims) names.push_back(claim.id);
  return names;
}

std::vector<Claim> named(const std::vector<std::string>& names) {
  std::vector<Claim> claims;
  for (const std::string& name : names) {
    claims.emplace_back();
    claims.back().id = name;
  }
  return claims;
}

const std::vector<Claim> family = named({"L1", "L2.identity", "L2.filter", "T3.gate", "L21"});
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a pattern matches the whole text: * any run, ? one character, all else itself") {
  CHECK(glob_match("L1", "L1"));
  CHECK_FALSE(glob_match("L1", "L12"));
  CHECK_FALSE(glob_match("L1", "xL1"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("*", "anything"));
  CHECK(glob_match("L2.*", "L2.filter"));
  CHECK_FALSE(glob_match("L2.*", "L2"));
  CHECK(glob_match("*.filter", "L2.filter"));
  CHECK(glob_match("*i*t*", "L2.filter"));
  CHECK(glob_match("L?", "L1"));
  CHECK_FALSE(glob_match("L?", "L"));
  CHECK_FALSE(glob_match("", "L"));
  CHECK(glob_match("", ""));
  CHECK_FALSE(glob_match("[L]1", "L1"));
  CHECK(glob_match("a*b*c", "aXbYbZc"));
  CHECK_FALSE(glob_match("a*b*c", "aXbYbZ"));
}

TEST_CASE("a pattern of many stars is answered at once") {
  CHECK_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST_CASE("claims are chosen by id, pattern or family, in the order of the list, each once") {
  CHECK(ids(select_from(family, {})) == ids(family));
  CHECK(ids(select_from(family, {"L1"})) == Names{"L1"});
  CHECK(ids(select_from(family, {"L2"})) == Names{"L2.identity", "L2.filter"});
  CHECK(ids(select_from(family, {"T3.*", "L2.filter", "*.filter"})) == Names{"L2.filter", "T3.gate"});
}

TEST_CASE("a pattern that matches nothing is named, with the nearest id, even beside one that matches") {
  try {
    select_from(family, {"L1", "L2.filtr"});
    FAIL("accepted");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK(message.find("claim: got 'L2.filtr', expected the id of a claim") == 0);
    CHECK(message.find("did you mean 'L2.filter'?") != std::string::npos);
  }
}

TEST_CASE("the registry lists the claims of docs/theory.md, each complete and named once") {
  const Names expected = {"L1", "L2.identity", "L2.filter", "L2.variance", "L2.onestep", "T3.gate", "T3.step1",
                         "T3.step2", "T3.step3", "T3.end", "T3.drowning", "T3.onset.isolated", "T3.onset.full",
                         "T3.emergence", "MC.variance", "EMP.order", "EMP.gate", "EMP.bigram", "EMP.K", "EMP.rare",
                         "EMP.random", "EMP.outputs"};
  CHECK(ids(claims()) == expected);
  CHECK(ids(select_claims({})) == expected);
  for (const Claim& claim : claims()) {
    INFO(claim.id);
    CHECK(claim.statement.size() > 20);
    CHECK_FALSE(claim.hypotheses.empty());
    CHECK_FALSE(claim.source.empty());
    CHECK(static_cast<bool>(claim.run));
    CHECK(claim.on_request == claim.id.starts_with("EMP."));
  }
}
