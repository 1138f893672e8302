#include "numerics/train_runs.hpp"

#include <omp.h>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "train_fixture.hpp"

using namespace popgrad;
using namespace popgrad::fixture;

namespace {

std::vector<RunRequest> three_runs() {
  std::vector<RunRequest> requests(3, RunRequest{small_bigram(), {small_bigram().bigram, small_bigram().bigram}});
  for (std::size_t i = 0; i < 3; ++i) requests[i].options.seed = 7 + i;
  requests[1].options.bigram.loss = LossKind::full;
  requests[1].options.model.feed_forward = true;
  for (RunRequest& request : requests) request.tests[1].outputs = Outputs::bigram;
  return requests;
}

std::string text_of(const RunCurve& curve) {
  std::string text = curve.diverged;
  for (const Metrics& m : curve.metrics) text += metrics_line(m) + "\n";
  for (const auto& test : curve.tests)
    for (const Probe& p : test) text += std::to_string(p.value) + " " + std::to_string(p.rows) + " ";
  return text;
}

}  // namespace

TEST_CASE("runs in memory are those of the trainer, and the same for 1, 2 and 7 threads") {
  const std::vector<RunRequest> requests = three_runs();
  std::vector<std::string> first;
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    std::size_t last = 0;
    const std::vector<RunCurve> curves = train_runs(requests, small_corpus(), [&](std::size_t done) { last = done; });
    CHECK(last == 3);
    std::vector<std::string> texts;
    for (const RunCurve& curve : curves) texts.push_back(text_of(curve));
    if (first.empty()) first = texts;
    CHECK(texts == first);
  }
  omp_set_num_threads(before);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Trainer trainer(requests[i].options, small_corpus());
    std::vector<Metrics> metrics = {trainer.measure()};
    while (!trainer.finished()) {
      trainer.update();
      if (trainer.evaluation_due()) metrics.push_back(trainer.measure());
    }
    std::string alone;
    for (const Metrics& m : metrics) alone += metrics_line(m) + "\n";
    CHECK(first[i].starts_with(alone));
  }
}

TEST_CASE("a test law that is the run's own gives the run's own accuracy, another law another") {
  const std::vector<RunCurve> curves = train_runs(three_runs(), small_corpus());
  for (const RunCurve& curve : curves) {
    REQUIRE(curve.metrics.size() == 6);  // steps 0, 4, .., 20
    REQUIRE(curve.tests.size() == 2);
    int differ = 0;
    for (std::size_t i = 0; i < curve.metrics.size(); ++i) {
      CHECK(curve.tests[0][i].value == curve.metrics[i].accuracy.value);
      CHECK(curve.tests[0][i].rows == curve.metrics[i].accuracy.rows);
      differ += curve.tests[1][i].rows != curve.metrics[i].accuracy.rows || curve.tests[1][i].value != curve.metrics[i].accuracy.value ? 1 : 0;
    }
    CHECK(differ > 0);
  }
}

TEST_CASE("a run that diverges keeps what it had and says why, the others go on") {
  std::vector<RunRequest> requests = three_runs();
  requests[0].options.rate = 1e300;
  const std::vector<RunCurve> curves = train_runs(requests, small_corpus());
  CHECK(curves[0].diverged.find("diverged") != std::string::npos);
  CHECK(curves[0].metrics.size() < 6);
  CHECK_FALSE(curves[0].metrics.empty());
  CHECK(curves[1].diverged.empty());
  CHECK(curves[1].metrics.size() == 6);
}

TEST_CASE("options that are not valid are refused before any training") {
  std::vector<RunRequest> requests = three_runs();
  requests[2].options.bigram.K = 99;
  std::size_t done = 0;
  CHECK_THROWS_AS(train_runs(requests, small_corpus(), [&](std::size_t n) { done = n; }), InputError);
  requests = three_runs();
  requests[2].tests[0].K = 99;
  CHECK_THROWS_AS(train_runs(requests, small_corpus(), [&](std::size_t n) { done = n; }), InputError);
  CHECK(done == 0);
}

TEST_CASE("rise_of: the first of three evaluations in a row above half way, an unprobed one interrupts") {
  std::vector<Metrics> metrics(6);
  for (std::size_t i = 0; i < 6; ++i) {
    metrics[i].step = static_cast<std::int64_t>(10 * i);
    metrics[i].wo2 = {i >= 2 ? 0.7 : 0.5, 0.2, 0, 0, 4};
  }
  const auto wo2 = [](const Metrics& m) -> const Probe& { return m.wo2; };
  CHECK(rise_of(metrics, wo2) == 20);
  metrics[3].wo2.value = 0.6;  // half way is not above half way
  CHECK_FALSE(rise_of(metrics, wo2).has_value());
  metrics[3].wo2.value = 0.61;
  metrics[4].wo2.rows = 0;
  CHECK_FALSE(rise_of(metrics, wo2).has_value());
}
