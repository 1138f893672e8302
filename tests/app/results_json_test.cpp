#include "app/results_json.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "sample_rows.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

Results sample() {
  Results results;
  results.version = "0.1.0";
  results.revision = "abc";
  results.seed = 18446744073709551615ULL;
  results.level = 1e-6;
  results.corpus = "text, 12 bytes";
  results.configuration = {
      {"data.vocab", std::int64_t{4}}, {"data.length", KeyValue()}, {"run.level", 0.1}, {"data.query", std::string("last")}};
  results.rows = {exact_row(), sampled_row(0.1234567890123456789, 0.01), not_applicable("L1", "", "N=4", "uniform labels")};
  results.rows[1].series = {{"onestep_accuracy", {"d", "accuracy"}, {{32, 0.426}, {64, 0.897}}}};
  return results;
}

void check_equal(const Entry& a, const Entry& b) {
  CHECK(a.name == b.name);
  CHECK(a.predicted == b.predicted);
  CHECK(a.measured == b.measured);
  CHECK(a.difference == b.difference);
  CHECK(a.exact == b.exact);
  CHECK(a.signal == b.signal);
  CHECK(a.budget.roundoff == b.budget.roundoff);
  CHECK(a.budget.truncation == b.budget.truncation);
  CHECK(a.budget.sampling == b.budget.sampling);
}

void check_equal(const Comparison& a, const Comparison& b) {
  CHECK(a.entries == b.entries);
  CHECK(a.outside == b.outside);
  CHECK(a.effect == b.effect);
  CHECK(a.widest == b.widest);
  CHECK(a.verdict == b.verdict);
  check_equal(a.worst, b.worst);
  check_equal(a.headline, b.headline);
}

std::string message_of(const std::string& text) {
  try {
    parse_results("--baseline", "old.json", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("results.json reads back to the same bits, field by field") {
  const Results before = sample();
  const Results after = parse_results("x", "y", to_json(before));
  CHECK(after.version == before.version);
  CHECK(after.revision == before.revision);
  CHECK(after.seed == before.seed);
  CHECK(after.level == before.level);
  CHECK(after.corpus == before.corpus);
  CHECK(after.configuration == before.configuration);
  REQUIRE(after.rows.size() == before.rows.size());
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    const Row &a = before.rows[i], &b = after.rows[i];
    CHECK(a.key() == b.key());
    CHECK(a.grade == b.grade);
    CHECK(a.verdict == b.verdict);
    CHECK(a.reason == b.reason);
    CHECK(a.next == b.next);
    CHECK(a.seconds == b.seconds);
    check_equal(a.comparison, b.comparison);
    REQUIRE(a.controls.size() == b.controls.size());
    for (std::size_t k = 0; k < a.controls.size(); ++k) {
      CHECK(a.controls[k].name == b.controls[k].name);
      CHECK(a.controls[k].changes == b.controls[k].changes);
      check_equal(a.controls[k].comparison, b.controls[k].comparison);
    }
    REQUIRE(a.series.size() == b.series.size());
    for (std::size_t k = 0; k < a.series.size(); ++k) {
      CHECK(a.series[k].figure == b.series[k].figure);
      CHECK(a.series[k].columns == b.series[k].columns);
      CHECK(a.series[k].rows == b.series[k].rows);
    }
  }
  CHECK(to_json(after) == to_json(before));
}

TEST_CASE("numbers that JSON does not have come back as what they were") {
  Results results = sample();
  results.rows = {sampled_row(std::numeric_limits<double>::infinity()),
                  sampled_row(-std::numeric_limits<double>::infinity()), sampled_row(std::nan(""))};
  const Results after = parse_results("x", "y", to_json(results));
  CHECK(after.rows[0].comparison.headline.measured == std::numeric_limits<double>::infinity());
  CHECK(after.rows[1].comparison.headline.measured == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(after.rows[2].comparison.headline.measured));
}

TEST_CASE("the file says what it is, with which version, and whose statements it verifies") {
  const std::string text = to_json(sample());
  CHECK(contains(text, "\"format\": \"popgrad-results\""));
  CHECK(contains(text, "\"version\": 1"));
  CHECK(contains(text, "\"revision\": \"abc\""));
  CHECK(contains(text, "\"seed\": 18446744073709551615"));
  CHECK(contains(text, "not the authors' wording"));
}

TEST_CASE("margin is the distance to refutation in units of the budget") {
  CHECK(margin(exact_row()) == 1);
  CHECK(margin(exact_row(Rational(1, 25))) == -std::numeric_limits<double>::infinity());
  // |difference| 0.0025 of a budget of 0.01 (and a roundoff of 1e-12 beside it) leaves 3/4.
  CHECK(std::abs(margin(sampled_row(0.5025)) - 0.75) < 1e-9);
  CHECK(margin(sampled_row(0.52)) < 0);
}

TEST_CASE("a row in which nothing was compared has null for its numbers, not 0") {
  Results results = sample();
  results.rows = {not_applicable("L1", "", "N=4", "uniform labels")};
  const std::string text = to_json(results);
  for (const char* field : {"predicted", "measured", "difference", "budget", "margin", "headline", "worst"})
    CHECK(contains(text, std::string("\"") + field + "\": null"));
}

TEST_CASE("what is not a results.json is refused by name and field") {
  const std::string good = to_json(sample());
  CHECK(message_of(good) == "accepted");
  CHECK(contains(message_of("garbage"), "--baseline: got 'old.json' (not JSON: byte 1)"));
  CHECK(contains(message_of(""), "not JSON"));
  CHECK(contains(message_of("[]"), "old.json"));
  CHECK(contains(message_of("{}"), "format is missing"));
  CHECK(contains(message_of(replaced(good, "popgrad-results", "popgrad-run")), "format is 'popgrad-run'"));
  CHECK(contains(message_of(replaced(good, "\"version\": 1", "\"version\": 2")), "version is 2"));
  CHECK(contains(message_of(replaced(good, "\"version\": 1", "\"version\": \"1\"")), "version is string"));
  CHECK(contains(message_of(replaced(good, "\"verdict\": \"verified\"", "\"verdict\": \"maybe\"")),
                 "rows[0].verdict is 'maybe'"));
  CHECK(contains(message_of(replaced(good, "\"part\": \"\"", "\"part\": 3")), "rows[0].part is number"));
  CHECK(contains(message_of(replaced(good, "\"signal\"", "\"sign\"")), "rows[0].headline.signal is missing"));
  CHECK(contains(message_of(replaced(good, "\"accuracy\"", "\"accuracy\", \"error\"")), "series[0].rows[0] is 2 cells"));
}

TEST_CASE("results.json is written whole, over an older one, and nothing else is left") {
  const TemporaryFolder folder;
  const auto file = folder.write("results.json", "old");
  write_results(file, sample());
  CHECK(text_of(file) == to_json(sample()));
  CHECK(folder.contents().size() == 1);
}
