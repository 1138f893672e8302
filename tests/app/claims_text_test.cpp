#include "app/claims_text.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

std::vector<Claim> two_claims() {
  Claim a, b;
  a.id = "L1";
  a.statement = "a long statement that has to be broken into lines";
  a.hypotheses = {"N >= 2", "labels are uniform"};
  a.source = "section 3";
  a.closed_forms = {{"diag", "1/(N*T)", "\\frac{1}{NT}", "<math/>"}};
  b.id = "T3.step1";
  b.statement = "another";
  b.source = "section 5";
  return {a, b};
}

}  // namespace

TEST_CASE("the list of claims has statement, hypotheses, formula and source of each, within the width") {
  const std::string text = claims_text(two_claims(), 40);
  CHECK(contains(text, "L1\n  a long statement that has to be broken\n  into lines\n"));
  CHECK(contains(text, "  hypothesis: N >= 2\n  hypothesis: labels are uniform\n"));
  CHECK(contains(text, "  formula:    diag = 1/(N*T)\n"));
  CHECK(contains(text, "  source:     section 3\n"));
  CHECK(contains(text, "T3.step1\n  another\n"));
  CHECK(contains(text, "not the"));
}

TEST_CASE("the list of claims as JSON has the same fields") {
  const auto json = nlohmann::json::parse(claims_json(two_claims()));
  CHECK(json["format"] == "popgrad-claims");
  CHECK(json["version"] == 1);
  REQUIRE(json["claims"].size() == 2);
  CHECK(json["claims"][0]["id"] == "L1");
  CHECK(json["claims"][0]["hypotheses"][1] == "labels are uniform");
  CHECK(json["claims"][0]["closed_forms"][0]["latex"] == "\\frac{1}{NT}");
  CHECK(json["claims"][1]["hypotheses"].empty());
}
