// What EMP.K, EMP.rare and EMP.random share: in one setting accuracy rises later than in another.
#include <fmt/format.h>

#include "theory/claims/emp_claims.hpp"

namespace popgrad {

Row emp_later(const std::string& claim, const EmpSizes& sizes, const EmpRuns& runs, const EmpNamed& early, const EmpNamed& late) {
  const std::vector<RunCurve>&base = runs.at(early.setting), &other = runs.at(late.setting);
  const std::vector<double> first = rise_times(base, emp_accuracy), second = rise_times(other, emp_accuracy), first_kl = fall_times(base),
                            second_kl = fall_times(other), end(base.size(), static_cast<double>(sizes.full_steps) + 1), start(base.size(), 0.0);
  const Order right{fmt::format("accuracy rises with {} before it does with {}", early.words, late.words), first, second};
  // None of them needs the slower runs to rise before their end.
  const std::vector<Control> controls = {
      wrong_orders("labels swapped", fmt::format("with {} before {}", late.words, early.words), {reversed(right)}),
      wrong_orders("other quantity", fmt::format("accuracy with {} rises before KL falls with {}", early.words, late.words), {{"accuracy before KL", first, second_kl}}),
      wrong_orders("other quantity, swapped", fmt::format("accuracy with {} rises before KL falls with {}", late.words, early.words),
                   {{"accuracy before KL", second, first_kl}}),
      wrong_orders("never", fmt::format("accuracy with {} rises after the last update only", early.words), {{"the end before accuracy", end, first}}),
      wrong_orders("at once", fmt::format("accuracy with {} has risen at the start", late.words), {{"accuracy before the start", second, start}}),
      nothing_to_find("labels mixed", "settings exchanged in every second seed", {mixed_labels(right)}),
      nothing_to_find("with itself", fmt::format("{} before {}", early.words, early.words), {{"the same before itself", first, first}})};
  Row row = emp_row(claim, "", sizes, runs, {right}, controls,
                    fmt::format("accuracy rises {} with {}, {} with {}; KL falls {} and {}", spread(first), early.words, spread(second), late.words,
                                spread(first_kl), spread(second_kl)));
  row.series.push_back(figure4_series(sizes, runs));
  return row;
}

}  // namespace popgrad
