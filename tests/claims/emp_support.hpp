// Curves made up for the tests of the empirical claims: every probe at chance until a given update, right from then on.
#pragma once
#include <string>
#include <vector>

#include "tests/claims/claim_support.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

struct MadeUp {
  double wo2 = 60, wk2 = 40, wk1 = 150, accuracy = 90, kl = 20;
  double final_uniform = 0.9, final_bigram = 0.8;
};

inline RunCurve made_up(const MadeUp& times, std::int64_t steps, std::int64_t every = 10) {
  RunCurve curve;
  curve.tests.resize(2);
  for (std::int64_t step = 0; step <= steps; step += every) {
    const auto probe = [&](double rise, double chance) { return Probe{static_cast<double>(step) >= rise ? 1 : chance, chance, 0, 0, 100}; };
    Metrics m;
    m.step = step;
    m.accuracy = probe(times.accuracy, 0.02);
    m.wo2 = probe(times.wo2, 0.02);
    m.wk2 = probe(times.wk2, 0.2);
    m.wk1 = m.wk1_64 = probe(times.wk1, 0.07);
    m.kl = Probe{static_cast<double>(step) >= times.kl ? 1.0 : 2.4, 2.3, 0, 0, 60};
    curve.metrics.push_back(m);
    curve.tests[0].push_back(Probe{step == steps ? times.final_uniform : 0.02, 0.02, 0, 0, 100});
    curve.tests[1].push_back(Probe{step == steps ? times.final_bigram : 0.02, 0.02, 0, 0, 100});
  }
  return curve;
}

// One curve a seed, `spread` updates apart, so that no two seeds agree.
inline std::vector<RunCurve> made_up_seeds(const MadeUp& times, std::int64_t steps, int seeds = 8, double spread = 1) {
  std::vector<RunCurve> curves;
  for (int i = 0; i < seeds; ++i) {
    MadeUp shifted = times;
    for (double* time : {&shifted.wo2, &shifted.wk2, &shifted.wk1, &shifted.accuracy}) *time += 10 * (i % 3);
    shifted.final_uniform += 0.001 * spread * i;
    shifted.final_bigram += 0.0005 * spread * i;
    curves.push_back(made_up(shifted, steps));
  }
  return curves;
}

inline EmpSizes emp_sizes() { return EmpSizes(context_of(1, 1)); }

// Runs of two settings in which accuracy rises at `early` and at `late`, as EMP.K, EMP.rare and EMP.random compare them.
using LaterRows = std::vector<Row> (*)(const EmpSizes&, const EmpRuns&);
inline std::vector<Row> later_rows(LaterRows claim, EmpSetting fast, EmpSetting slow, double early, double late, int seeds = 8) {
  const EmpSizes sizes = emp_sizes();
  MadeUp first, second;
  first.accuracy = early;
  second.accuracy = late;
  return claim(sizes, {{fast, made_up_seeds(first, sizes.full_steps, seeds)}, {slow, made_up_seeds(second, sizes.full_steps, seeds)}});
}

inline void check_too_few_seeds(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.key());
    CHECK(row.verdict == Verdict::undecided);
    CHECK(row.next.find("seeds at least") != std::string::npos);
  }
}

// Later, and never within the run, are verified; earlier is refuted; the same is undecided.
inline void check_later(LaterRows claim, EmpSetting fast, EmpSetting slow) {
  const auto rows = [&](double early, double late) { return later_rows(claim, fast, slow, early, late); };
  check_verified(rows(300, 500));
  check_verified(rows(300, never));
  CHECK(rows(500, 300)[0].verdict == Verdict::refuted);
  CHECK(rows(300, 300)[0].verdict == Verdict::undecided);
  CHECK(rows(never, never)[0].verdict == Verdict::undecided);
  CHECK(rows(300, 500)[0].series[0].figure == "figure4");
}

}  // namespace popgrad
