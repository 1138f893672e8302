// What several claims share: timing, default sizes, entries of whole maps.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/exact_entry.hpp"
#include "check/row.hpp"
#include "core/series.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/ideal_model.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// Runs `make` and stores its wall time in the row.
Row timed(const std::function<Row()>& make);

// The (N, T) pairs to use: `defaults`, unless the user fixed N or T; then one pair, filled up from defaults.front().
std::vector<std::pair<int, int>> sizes(const ClaimContext& context, const std::vector<std::pair<int, int>>& defaults);

// The backgrounds to use: both, unless the user fixed one.
std::vector<Background> backgrounds(const ClaimContext& context);

// Number of sequences of the task, as MinimalEnumeration counts them, without its limit.
double sequence_count(const MinimalTask& task);

// Empty if the task has at most `limit` sequences; otherwise the undecided row that says so.
std::optional<Row> too_many_sequences(const std::string& claim, const std::string& part, const MinimalTask& task, double limit);

// Empty if sums over orbits, in series of rationals, take at most about a minute; otherwise the undecided row that says so.
std::optional<Row> too_many_orbits(const std::string& claim, const std::string& part, const MinimalTask& task);

// Exact arithmetic takes 20 to 200 microseconds a sequence: about half a minute at this many.
inline constexpr double rational_limit = 200'000;

// The closed forms of a claim, from the catalogue.
std::vector<ClosedForm> closed_forms(const std::string& claim);

// The coordinate of a block as shown to people, 1-based: "E3", "P1".
std::string coordinate_name(const Coordinates& at, int coordinate);

// One entry "map[q,k]" a coefficient, predicted zero with no budget.
void claim_zero(std::vector<Entry>& entries, const std::string& map, const std::vector<double>& values);
template <int K>
void claim_zero(std::vector<Entry>& entries, const std::string& map, const std::vector<PowerSeries<Rational, K>>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int order = 0; order <= K; ++order)
      entries.push_back(
          exact_entry(map + " #" + std::to_string(i) + " order " + std::to_string(order), Rational(0), values[i][order]));
}

}  // namespace popgrad
