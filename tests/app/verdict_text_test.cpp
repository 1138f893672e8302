#include "app/table.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

std::string text_of(const std::vector<std::string>& claims) {
  Results results;
  for (const std::string& claim : claims) results.rows.push_back(not_applicable(claim, "", "N=4", "N >= 5"));
  return verdict_text(results, false, TableStyle{});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the legend speaks of sampling budgets and of p values only where the table has them") {
  const std::string theory = text_of({"T3.step1"}), both = text_of({"T3.step1", "EMP.order"}), seeds = text_of({"EMP.order"});
  CHECK(has(theory, "sampling at family-wise level"));
  CHECK_FALSE(has(theory, "adjusted by Holm"));
  CHECK(has(both, "sampling at family-wise level"));
  CHECK(has(both, "adjusted by Holm"));
  CHECK_FALSE(has(seeds, "sampling at family-wise level"));
  CHECK(has(seeds, "adjusted by Holm"));
}
