// What every claim's test asks of it.
#pragma once
#include <set>
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

// "part|background query" of every row, each once.
inline std::set<std::string> covered(const std::vector<Row>& rows) {
  std::set<std::string> list;
  for (const Row& row : rows)
    for (const char* background : {"any", "avoid"})
      for (const char* query : {"last", "any"}) {
        const std::string switches = std::string(background) + " query=" + query;
        if (row.configuration.find(" " + switches) != std::string::npos) list.insert(row.part + "|" + switches);
      }
  return list;
}

// Every part has a row for both backgrounds and the given queries.
inline void check_covered(const std::vector<Row>& rows, const std::vector<std::string>& parts, const std::vector<std::string>& queries) {
  const std::set<std::string> list = covered(rows);
  for (const std::string& part : parts)
    for (const char* background : {"any", "avoid"})
      for (const std::string& query : queries) {
        INFO(part << ", " << background << ", query = " << query);
        CHECK(list.count(part + "|" + background + " query=" + query) == 1);
      }
}

}  // namespace popgrad
