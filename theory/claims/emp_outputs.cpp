// EMP.outputs: which law of outputs in training generalizes to which in the test.
#include <fmt/format.h>

#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {
namespace {

// Accuracy at the end on the law of the test, and what is lost from the law of training to the other one.
struct Trained {
  std::vector<double> on_uniform, on_bigram, lost;
  Trained(const std::vector<RunCurve>& curves, bool bigram) : on_uniform(final_test_accuracy(curves, 0)), on_bigram(final_test_accuracy(curves, 1)) {
    for (std::size_t i = 0; i < curves.size(); ++i) lost.push_back((bigram ? -1 : 1) * (on_uniform[i] - on_bigram[i]));
  }
};

}  // namespace

std::vector<Row> emp_outputs(const EmpSizes& sizes, const EmpRuns& runs) {
  const std::vector<RunCurve>&uniform_runs = runs.at(EmpSetting::full), &bigram_runs = runs.at(EmpSetting::bigram);
  const Trained uniform(uniform_runs, false), bigram(bigram_runs, true);
  const std::vector<double> start = values_at(uniform_runs, emp_accuracy, 0);
  const Order better{"accuracy on uniform outputs: trained on bigram below trained on uniform outputs", bigram.on_uniform, uniform.on_uniform};
  const Order less_lost{"accuracy lost on the other law: trained on uniform below trained on bigram outputs", uniform.lost, bigram.lost};
  const std::vector<Control> controls = {
      wrong_orders("labels swapped", "runs trained on uniform and on bigram outputs exchanged", {reversed(better), reversed(less_lost)}),
      wrong_orders("one order reversed", "training on uniform outputs loses more on the other law", {better, reversed(less_lost)}),
      wrong_orders("untrained", "trained on uniform outputs below the accuracy at the start", {{"trained below untrained", uniform.on_uniform, start}}),
      wrong_orders("untrained on the other law", "trained on uniform, tested on bigram outputs, below the accuracy at the start",
                   {{"trained below untrained", uniform.on_bigram, start}}),
      nothing_to_find("labels mixed", "the laws of training exchanged in every second seed", {mixed_labels(better)}),
      nothing_to_find("with itself", "trained on uniform below trained on uniform outputs", {{"uniform below itself", uniform.on_uniform, uniform.on_uniform}})};
  Row row = emp_row("EMP.outputs", "", sizes, runs, {better, less_lost}, controls,
                    fmt::format("trained on uniform: {} on uniform, {} on bigram outputs; trained on bigram: {} on uniform, {} on bigram outputs",
                                spread(uniform.on_uniform), spread(uniform.on_bigram), spread(bigram.on_uniform), spread(bigram.on_bigram)));
  row.series.push_back(figure4_series(sizes, runs));
  return {row};
}

Claim claim_emp_outputs() {
  return emp_claim("EMP.outputs",
                   "Bigram task, full loss, W_F on: after training on uniform outputs in-context accuracy is higher on uniform outputs than after training on "
                   "bigram outputs, and less of it is lost on the law that was not trained on.",
                   {"K = 5 fixed triggers, outputs other than the trigger"}, emp_outputs);
}

}  // namespace popgrad
