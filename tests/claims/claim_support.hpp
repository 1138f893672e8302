// What every claim's test asks of it.
#pragma once
#include <string>
#include <vector>

#include "core/bigram_counts.hpp"
#include "tests/catch.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

inline ClaimContext context_of(std::uint64_t seed, double work = 0.25) {
  ClaimContext context;
  context.seed = seed;
  context.work = work;
  context.corpus = default_counts();
  return context;
}

// Every row verified; in every row at least four negative controls, each refuted by the check of the claim.
inline void check_verified(const std::vector<Row>& rows) {
  REQUIRE(!rows.empty());
  for (const Row& row : rows) {
    INFO(row.key() << ": " << row.reason);
    CHECK(row.verdict == Verdict::verified);
    CHECK(row.comparison.entries > 0);
    CHECK(row.controls.size() >= 4);
    for (const ControlOutcome& control : row.controls) {
      INFO("control " << control.name);
      CHECK(control.refuted());
    }
  }
}

inline Row row_of(const std::vector<Row>& rows, const std::string& part) {
  for (const Row& row : rows)
    if (row.part == part) return row;
  FAIL("no row with part '" << part << "'");
  return rows.front();
}

}  // namespace popgrad
