#include "tests/claims/emp_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/emp_plan.hpp"

using namespace popgrad;

namespace {

// Margins go from 0 to 10 at the update given, recalls from chance to 1 at that of MadeUp.
std::vector<Row> rows_of(const MadeUp& recalls, double wo2, double wk2, double wk1, int seeds = 8) {
  const EmpSizes sizes = emp_sizes();
  std::vector<RunCurve> curves = made_up_seeds(recalls, sizes.head_steps, seeds);
  for (RunCurve& curve : curves)
    for (Metrics& m : curve.metrics) {
      const auto step = static_cast<double>(m.step);
      m.wo2.margin = step >= wo2 ? 10 : 0;
      m.wk2.margin = step >= wk2 ? 10 : 0;
      m.wk1_64.margin = step >= wk1 ? 10 : 0;
    }
  return emp_order(sizes, {{EmpSetting::head, curves}});
}

}  // namespace

TEST_CASE("EMP.order: both definitions verified where the orders hold in every seed") {
  MadeUp recalls;
  recalls.accuracy = 200;
  check_verified(rows_of(recalls, 40, 80, 120));
}

TEST_CASE("EMP.order: another order of the margins is refuted, the same time undecided, and recalls are judged apart") {
  const std::vector<Row> rows = rows_of({}, 80, 40, 120);
  CHECK(row_of(rows, "margins").verdict == Verdict::refuted);
  CHECK(row_of(rows, "recalls").verdict == Verdict::verified);
  CHECK(row_of(rows_of({}, 40, 40, 120), "margins").verdict == Verdict::undecided);
  MadeUp early;
  early.wk1 = 20;
  CHECK(row_of(rows_of(early, 40, 80, 120), "recalls").verdict == Verdict::refuted);
  CHECK(rows[0].series[0].figure == "figure3");
}

TEST_CASE("EMP.order: five seeds decide nothing by sign tests at this level") {
  MadeUp recalls;
  recalls.accuracy = 200;
  check_too_few_seeds(rows_of(recalls, 40, 80, 120, 5));
}

TEST_CASE("empirical claims: sizes follow the context, seeds of settings are disjoint, the paper's size on request") {
  ClaimContext context = context_of(1, 1);
  CHECK(EmpSizes(context).seeds == 8);
  context.work = 2;
  CHECK(EmpSizes(context).seeds == 16);
  context.work = 1e6;
  CHECK(EmpSizes(context).seeds == 40);
  context.work = 0.01;
  CHECK(EmpSizes(context).seeds == 2);
  context.T = 20;
  CHECK(EmpSizes(context).T == 20);
  context.full = true;
  context.T.reset();
  const EmpSizes paper(context);
  CHECK(paper.describe() == "T=256 d=128 batch=512, 2 seeds a setting");
  CHECK(emp_options(paper, EmpSetting::frozen, 1).freeze.wo2 == 300);
  std::set<std::uint64_t> seeds;
  for (std::size_t s = 0; s < emp_settings; ++s)
    for (int run = 0; run < 40; ++run) seeds.insert(emp_seed(context, static_cast<EmpSetting>(s), run));
  CHECK(seeds.size() == 40 * emp_settings);
  CHECK(*seeds.begin() > 1000);  // those of the pilot runs
}

TEST_CASE("empirical claims: runs of one process are made once, and what they cost is said beforehand") {
  ClaimContext context = context_of(1, 0.25);
  EmpSizes sizes(context);
  sizes.T = 8;
  sizes.d = 6;
  sizes.batch = 4;
  sizes.head_steps = 20;
  sizes.eval_sequences = 4;
  int calls = 0;
  context.progress = [&](const std::string&) { ++calls; };
  const EmpRuns runs = emp_runs(context, sizes, {EmpSetting::head});
  CHECK(runs.at(EmpSetting::head).size() == 2);
  CHECK(runs.at(EmpSetting::head)[0].metrics.size() == 5);
  CHECK(runs.at(EmpSetting::head)[0].metrics.back().loss != runs.at(EmpSetting::head)[1].metrics.back().loss);
  CHECK(calls == 3);
  CHECK(emp_runs(context, sizes, {EmpSetting::head}).at(EmpSetting::head)[1].metrics.back().loss == runs.at(EmpSetting::head)[1].metrics.back().loss);
  CHECK(calls == 3);
  sizes.head_steps = 25;
  emp_runs(context, sizes, {EmpSetting::head});
  CHECK(calls == 6);
  CHECK(emp_plan({claim_l1()}, context).empty());
  const std::string plan = emp_plan({claim_emp_order()}, context_of(1, 1));
  CHECK(plan.find("8 runs of 1 setting") != std::string::npos);
  CHECK(plan.find("level 0.01") != std::string::npos);
}

TEST_CASE("EMP.order at the default size", "[slow]") { check_verified(claim_emp_order().run(context_of(1, 1))); }
