// What one run of verify found: the content of results.json.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/config_keys.hpp"
#include "check/row.hpp"

namespace popgrad {

inline constexpr int results_version = 1;
// Said wherever a verdict is shown.
inline constexpr const char* statement_note =
    "The statements are this project's formalization (docs/theory.md), not the authors' wording.";

struct Results {
  std::string version;   // of popgrad
  std::string revision;  // of its source
  std::uint64_t seed = 1;
  double level = 1e-6;
  std::string corpus;                                           // provenance of the counts
  std::vector<std::pair<std::string, KeyValue>> configuration;  // keys that verify reads; empty: chosen by the claim
  std::vector<Row> rows;
};

// 1 - worst |difference| / budget: distance to refutation in units of the budget. 1 is a perfect match, 0 the edge, below 0
// refuted; -infinity where an exact comparison failed.
double margin(const Row& row);

// Nothing was compared: a row that is not applicable, or could not be computed.
inline bool compared(const Row& row) { return row.comparison.entries > 0; }

}  // namespace popgrad
