#include "numerics/moment_grid.hpp"

#include <string>

#include "core/errors.hpp"
#include "numerics/moment_score.hpp"
#include "numerics/moment_steps.hpp"
#include "numerics/moment_third.hpp"

namespace popgrad {
namespace {

constexpr int shortest = 4;

// 0-based t, 1 <= t. Centring and dividing by t, as the softmax does, changes no order.
bool recalls(const KeyRow& row, int t) {
  return row.before > row.self && (t < 2 || row.before > row.first) && (t < 3 || row.before > row.inner);
}

}  // namespace

MomentGrid::MomentGrid(int longest) : longest_(longest) {
  require(longest >= shortest && longest <= longest_grid, "MomentGrid", "longest", "4 .. " + std::to_string(longest_grid),
          std::to_string(longest));
  const ReadScale scale(longest);
  for (int L = shortest; L <= longest; ++L)
    lengths_.push_back({scale.covariance(Reading::token, Reading::prefix, L), scale.covariance(Reading::prefix, Reading::prefix, L),
                        scale.weights(Reading::token, L), scale.weights(Reading::prefix, L)});
}

std::vector<Rational> MomentGrid::second_diagonals(int N, Background background, Query query, Handoff handoff,
                                                   Blocks blocks) const {
  const TokenLaw law(N, background, 2);
  const PairExcess trigger = with_trigger(law);
  const MeanExcess excess(law);
  const bool full = handoff == Handoff::actual && blocks == Blocks::full;
  std::vector<Rational> diagonals;
  // Sums over the lengths of a mixture; of one length alone for query = last.
  Rational ue(0), ur(0), token(0), prefix(0);
  for (int L = shortest; L <= longest_; ++L) {
    const Length& length = lengths_[static_cast<std::size_t>(L - shortest)];
    if (query == Query::last) ue = ur = token = prefix = Rational(0);
    // The diagonal of (U,E) is 1/N of the sum over tokens, and diag - off is N/(N-1) of it.
    ue += mean_reading(length.token_weight, excess, L) / (L * (N - 1));
    token += mean_product(length.token, trigger) / L;
    if (full) {
      ur += mean_reading(length.prefix_weight, excess, L) / (L * (N - 1));
      prefix += mean_product(length.prefix, trigger) / L;
    }
    const int count = query == Query::last ? 1 : L - shortest + 1;
    const Rational value = handoff == Handoff::ideal ? token : Rational((ue * token + ur * prefix) / count);
    diagonals.push_back(Rational(value / (count * N)));
  }
  return diagonals;
}

std::vector<bool> MomentGrid::third_recalls(int N, Background background, Query query) const {
  const PairExcess trigger = with_trigger(TokenLaw(N, background, 2));
  std::vector<KeyRow> sum(static_cast<std::size_t>(longest_));
  std::vector<bool> recall;
  for (int L = shortest; L <= longest_; ++L) {
    const std::vector<KeyRow> rows = key_rows(trigger, L);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      if (query == Query::last)
        sum[t] = rows[t];
      else
        sum[t] += rows[t];
    }
    bool all = true;
    for (int t = 1; t <= L - 2; ++t) all = all && recalls(sum[static_cast<std::size_t>(t)], t);
    recall.push_back(all);
  }
  return recall;
}

}  // namespace popgrad
