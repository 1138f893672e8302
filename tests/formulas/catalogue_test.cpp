#include "theory/formulas/catalogue.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"
#include "theory/formulas/step1.hpp"
#include "well_formed.hpp"

using namespace popgrad;

TEST_CASE("the catalogue: every entry is complete, named once, and well-formed MathML") {
  std::set<std::string> names;
  for (const auto& entry : catalogue()) {
    INFO(entry.claim << ": " << entry.name);
    CHECK_FALSE(entry.text.empty());
    CHECK_FALSE(entry.latex.empty());
    CHECK(popgrad_test::well_formed(entry.mathml));
    CHECK(std::count(entry.latex.begin(), entry.latex.end(), '{') ==
          std::count(entry.latex.begin(), entry.latex.end(), '}'));
    CHECK(names.insert(entry.claim + "|" + entry.name).second);
  }
}

TEST_CASE("the catalogue has closed forms for every claim that has one, and prints them from the formulas themselves") {
  for (const char* claim : {"L1", "L2.identity", "L2.filter", "L2.variance", "L2.onestep", "T3.gate", "T3.step1"})
    CHECK_FALSE(catalogue(claim).empty());
  CHECK(catalogue("EMP.order").empty());
  CHECK(catalogue("T3.step1").front().text == step1_h().text());
  CHECK(catalogue("T3.step1").front().latex == step1_h().latex());
}
