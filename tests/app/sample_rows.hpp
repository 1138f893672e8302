// Rows made up for tests of the table, results.json and the baseline.
#pragma once
#include <string>
#include <vector>

#include "check/exact_entry.hpp"
#include "check/row.hpp"

namespace popgrad {

// Four controls that the check refutes; `survivors` of them it does not.
inline std::vector<Control> sample_controls(const Entry& e, int survivors = 0) {
  std::vector<Control> controls;
  for (const char* name : {"sign", "factor", "dropped term", "shifted index"}) {
    const bool survives = static_cast<int>(controls.size()) < survivors;
    controls.push_back({name, std::string("wrong: ") + name, [e, survives] {
                          Entry wrong = e;
                          if (!survives) wrong.difference = 1;
                          return std::vector<Entry>{wrong};
                        }});
  }
  return controls;
}

// 1/24 predicted, `measured` measured, as rationals.
inline Row exact_row(const Rational& measured = Rational(1, 24), const std::string& configuration = "N=4 T=6 avoid") {
  const Entry e = exact_entry("(U,E) diag", Rational(1, 24), measured, true);
  Row row = judge("T3.step1", "", configuration, Grade::exact, {e}, default_effect({e}), sample_controls(e));
  row.seconds = 0.25;
  return row;
}

// 0.5 predicted; budget: roundoff 1e-12 and `sampling`. Effect that matters: 0.05.
inline Row sampled_row(double measured, double sampling = 0.01, double predicted = 0.5, int survivors = 0) {
  const Entry e = entry("variance", predicted, measured, {1e-12, 0, sampling}, true);
  Row row = judge("L2.variance", "norm", "N=64 T=32 d=128", Grade::sampled, {e}, 0.05, sample_controls(e, survivors),
                  "raise verify.work");
  row.seconds = 1.5;
  return row;
}

}  // namespace popgrad
