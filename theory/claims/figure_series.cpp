#include "theory/claims/figure_series.hpp"

#include <string>

#include "numerics/block_picture.hpp"
#include "numerics/moment_terms.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

// A column of the series, its rows made by the first one.
void add_column(Series& series, const std::string& title, const std::vector<SizeValue>& map) {
  series.columns.push_back(title);
  std::size_t at = 0;
  for (const SizeValue& cell : map) {
    if (series.columns.size() == 3) series.rows.push_back({static_cast<double>(cell.N), static_cast<double>(cell.T)});
    series.rows[at++].push_back(to_double(cell.value));
  }
}

}  // namespace

Series step2_margin_map(const std::vector<Background>& backgrounds, int largest) {
  Series series{"step2_margin", {"N", "T"}, {}};
  for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
    for (const Background background : backgrounds) {
      std::vector<SizeValue> map = step2_map(background, handoff, Blocks::full, largest, largest);
      for (SizeValue& cell : map) {
        const Rational size = cell.N * cell.T;
        cell.value *= (handoff == Handoff::ideal ? size : Rational(size * size)) * cell.T * cell.N / (cell.N - 1);
      }
      add_column(series, std::string(name(background)) + (handoff == Handoff::ideal ? ": ideal; actual, isolated" : ": actual, full"), map);
    }
  return series;
}

Series step3_margin_map(const std::vector<Background>& backgrounds, int largest) {
  Series series{"step3_margin", {"N", "T"}, {}};
  for (const Background background : backgrounds)
    add_column(series, std::string("background ") + name(background), step3_map(background, largest, largest));
  return series;
}

Series gradient_picture(const MinimalTask& task, int stage) {
  const InvariantMaps<Rational> descent = moment_terms(task, Handoff::ideal, Blocks::full, stage).back().descent;
  return {"gradient_blocks", picture_columns(), picture_points(stage, block_summaries(descent, stage), task.N, task.T)};
}

bool carries_picture(const ClaimContext& context, const MinimalTask& task) {
  constexpr int longest = 40;  // a quarter of a megabyte of numbers
  return task.T <= longest && std::pair(task.N, task.T) == sizes(context, {{4, 6}}).front() && task.background == backgrounds(context).back() &&
         task.query == context.query.value_or(Query::last);
}

}  // namespace popgrad
