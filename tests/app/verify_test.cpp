#include "app/verify.hpp"

#include "app/results_json.hpp"
#include "tests/catch.hpp"
#include "sample_rows.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

Claim claim_of(const std::string& id, std::function<std::vector<Row>(const ClaimContext&)> run) {
  Claim claim;
  claim.id = id;
  claim.statement = "a statement";
  claim.run = std::move(run);
  return claim;
}

const std::vector<Claim> registry = {
    claim_of("T3.step1", [](const ClaimContext&) { return std::vector<Row>{exact_row()}; }),
    claim_of("L2.variance", [](const ClaimContext& c) { return std::vector<Row>{sampled_row(c.seed == 7 ? 0.6 : 0.5)}; }),
    claim_of("L2.wide", [](const ClaimContext&) { return std::vector<Row>{sampled_row(0.5, 0.2)}; }),
    claim_of("L2.refuses", [](const ClaimContext&) -> std::vector<Row> { throw InputError("-N", "'99'", "at most 9"); }),
};

struct Run {
  std::string out;
  VerifyRequest request;
  explicit Run(std::vector<std::string> patterns) {
    request.patterns = std::move(patterns);
    request.quiet = false;
    request.figures = false;
    request.print = [this](const std::string& text) { out += text; };
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ExitCode go() { return verify(request, registry); }
};

}  // namespace

TEST_CASE("verify prints the table, the summary and whose statements these are") {
  Run run({"T3.*", "L2.variance"});
  CHECK(run.go() == ExitCode::ok);
  CHECK(contains(run.out, "claim"));
  CHECK(contains(run.out, "1/24"));
  CHECK(contains(run.out, "2 claims, 2 rows: 2 verified; 8 of 8 negative controls refuted"));
  CHECK(contains(run.out, "The statements are this project's formalization (docs/theory.md), not the authors' wording.\n"));
}

TEST_CASE("a claim that is run on request only is run where it is named or with --full, not by plain verify") {
  std::vector<Claim> claims = {registry[0], registry[1]};
  claims[1].on_request = true;
  const auto rows = [&](std::vector<std::string> patterns, bool full) {
    Run run(std::move(patterns));
    run.request.config.full = full;
    verify(run.request, claims);
    return run.out;
  };
  CHECK(contains(rows({}, false), "1 claim, 1 row:"));
  CHECK(contains(rows({}, true), "2 claims, 2 rows:"));
  CHECK(contains(rows({"L2.*"}, false), "1 claim, 1 row:"));
  CHECK(contains(rows({"*"}, false), "2 claims, 2 rows:"));
}

TEST_CASE("without --out verify says what --out would write, which are no figures under --no-figures") {
  Run with({"T3.*"}), without({"T3.*"});
  with.request.figures = true;
  with.go();
  without.go();
  CHECK(contains(with.out, "(--out DIR writes results.json and the figures)\n"));
  CHECK(contains(without.out, "(--out DIR writes results.json)\n"));
}

TEST_CASE("verify --quiet keeps the summary and what is not verified, without the table") {
  Run run({"T3.*", "L2.wide"});
  run.request.quiet = true;
  run.request.config.work = 2.95;  // a budget of 0.2 and an effect of 0.05: 16 times that, and a tenth
  CHECK(run.go() == ExitCode::undecided);
  CHECK_FALSE(contains(run.out, "1/24"));
  CHECK(contains(run.out, "next: raise verify.work to roughly 52"));
  CHECK(contains(run.out, "1 verified, 1 undecided"));
}

TEST_CASE("verify returns 1 when a row is refuted and shows the reason") {
  Run run({"L2.variance"});
  run.request.config.seed = 7;
  CHECK(run.go() == ExitCode::refuted);
  CHECK(contains(run.out, "1 of 1 entries outside the budget"));
}

TEST_CASE("verify writes results.json with the rows, the seed and the configuration, and no number of threads") {
  const TemporaryFolder folder;
  Run run({"T3.*"});
  run.request.config.seed = 5;
  run.request.config.N = 4;
  run.request.config.threads = 2;
  run.request.out = folder / "a/b";
  CHECK(run.go() == ExitCode::ok);
  const Results results = read_results("x", folder / "a/b/results.json");
  CHECK(results.seed == 5);
  REQUIRE(results.rows.size() == 1);
  CHECK(results.rows[0].key() == exact_row().key());
  CHECK(contains(text_of(folder / "a/b/results.json"), "\"data.vocab\": 4"));
  CHECK_FALSE(contains(text_of(folder / "a/b/results.json"), "threads"));
}

TEST_CASE("a run agrees with its own results.json as a baseline, and 4 says that something changed") {
  const TemporaryFolder folder;
  Run first({"T3.*", "L2.variance"});
  first.request.out = folder.path();
  REQUIRE(first.go() == ExitCode::ok);
  Run again({"T3.*", "L2.variance"});
  again.request.baseline = folder / "results.json";
  CHECK(again.go() == ExitCode::ok);
  CHECK(contains(again.out, "2 rows compared, 0 changes"));

  Results old = read_results("x", folder / "results.json");
  old.rows[0].verdict = Verdict::undecided;
  write_results(folder / "old.json", old);
  Run changed({"T3.*", "L2.variance"});
  changed.request.baseline = folder / "old.json";
  CHECK(changed.go() == ExitCode::changed);
  CHECK(contains(changed.out, "verdict"));
}

TEST_CASE("a baseline of other claims is refused before any claim is run") {
  const TemporaryFolder folder;
  Run first({"T3.*"});
  first.request.out = folder.path();
  REQUIRE(first.go() == ExitCode::ok);
  bool ran = false;
  Run other({"L1"});
  other.request.baseline = folder / "results.json";
  CHECK_THROWS_AS(verify(other.request, {claim_of("L1",
                                                  [&](const ClaimContext&) {
                                                    ran = true;
                                                    return std::vector<Row>{exact_row()};
                                                  })}),
                  InputError);
  CHECK_FALSE(ran);
  CHECK(other.out.empty());
}

TEST_CASE("a claim that refuses the configuration leaves no folder and prints nothing") {
  const TemporaryFolder folder;
  Run run({"L2.refuses"});
  run.request.out = folder / "a/b";
  CHECK_THROWS_AS(run.go(), InputError);
  CHECK(folder.contents().empty());
  CHECK(run.out.empty());
}

TEST_CASE("claims get what the configuration fixes, and nothing for what it leaves to them") {
  Config config;
  config.T = 8;
  config.work = 3;
  config.level = 1e-3;
  const ClaimContext context = context_of(config);
  CHECK(context.T == 8);
  CHECK_FALSE(context.N.has_value());
  CHECK(context.work == 3);
  CHECK(context.level == 1e-3);
  CHECK(context.corpus.N() == 65);
}
