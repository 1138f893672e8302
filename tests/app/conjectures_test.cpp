// verify --conjectures as a user runs it, and every way in which a file of conjectures can be wrong.
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

const std::string examples = std::string(POPGRAD_SOURCE_DIR) + "/experiments/conjectures.toml";

const std::string good =
    "[[conjecture]]\nname = \"handed-on\"\nquantity = \"stage1.wo2.UR.signal\"\nN = \"2..4\"\nT = [4, 5, 6]\n"
    "equals = \"(T - H(T-1) - 2/T)/((T-2)*N*T)\"\n";
const std::string bad =
    "[[conjecture]]\nname = \"always\"\nquantity = \"stage2.wk2.ER.diag\"\nbackground = \"any\"\nN = \"2..6\"\nT = "
    "\"5..8\"\nabove = \"0\"\n";

// A good file with one line replaced or added.
std::string with(const std::string& line, const std::string& replacement) {
  std::string text = good;
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  const std::size_t end = text.find('\n', at);
  return text.replace(at, end - at, replacement);
}

void check_refused(const std::string& content, const std::vector<std::string>& said) {
  const TemporaryFolder folder;
  folder.write("f.toml", content);
  const auto before = folder.contents();
  RunSetup setup;
  setup.folder = folder.path();
  const Finished run = run_popgrad({"verify", "--conjectures", "f.toml", "--out", "new/folder"}, setup);
  INFO(content << "\n" << run.err);
  CHECK(run.code == 2);
  CHECK(lines(run.err) == 1);
  for (const std::string& part : said) {
    INFO("says '" << part << "'");
    CHECK(contains(run.err, part));
  }
  CHECK(run.out.empty());
  CHECK(folder.contents() == before);
}

}  // namespace

TEST_CASE("verify --conjectures answers for each conjecture and runs no claim") {
  const TemporaryFolder folder;
  const std::string file = folder.write("f.toml", good + bad).string();
  const Finished run = run_popgrad({"verify", "--conjectures", file, "--out", (folder / "out").string()});
  INFO(run.out << run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.out, "conjecture handed-on"));
  CHECK(contains(run.out, "2 claims, 2 rows: 1 verified, 1 refuted"));
  CHECK(contains(run.out, "verified: holds at all 9 sizes of the grid, and says nothing about others"));
  CHECK(contains(run.out, "first counterexample: N=2 T=5, where stage2.wk2.ER.diag = -47/18000, not > 0"));
  CHECK(contains(run.out, "N=5 T=5: -2/28125 > 0 fails"));
  CHECK_FALSE(contains(run.out, "T3.step1"));
  const std::string tsv = text_of(folder / "out/conjectures.tsv");
  CHECK(lines(tsv) == 1 + 9 + 20);
  CHECK(contains(tsv, "always\t2\t5\t\t\t-47/18000\t>\t0\tfails\n"));
  CHECK(contains(text_of(folder / "out/results.json"), "\"claim\": \"conjecture always\""));
}

TEST_CASE("conjectures have a baseline, a report and an exit code like claims") {
  const TemporaryFolder folder;
  std::string other = with("name", "name = \"other\"");
  const std::string file = folder.write("f.toml", good + other).string(), out = (folder / "out").string();
  CHECK(run_popgrad({"verify", "--conjectures", file, "--out", out, "--no-figures"}).code == 0);
  const Finished again = run_popgrad({"verify", "--conjectures", file, "--baseline", out + "/results.json"});
  CHECK(again.code == 0);
  CHECK(contains(again.out, "2 rows compared, 0 changes"));
  CHECK(contains(run_popgrad({"report", out + "/results.json"}).out, "conjecture handed-on"));
  other.replace(other.find("[4, 5, 6]"), 9, "[4, 5]");  // another grid: that row is missing, and a new one there
  folder.write("f.toml", good + other);
  CHECK(run_popgrad({"verify", "--conjectures", file, "--baseline", out + "/results.json"}).code == 4);
}

TEST_CASE("claims that are named run with the conjectures, and --sizes shows every size") {
  const TemporaryFolder folder;
  const std::string file = folder.write("f.toml", good).string();
  const Finished run = run_popgrad({"verify", "L1", "--conjectures", file, "--sizes"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "bigram law"));
  CHECK(contains(run.out, "N=4 T=6: 203/5760 = 203/5760 holds"));
  CHECK_FALSE(contains(run.out, "more (--sizes"));
  const Finished quiet = run_popgrad({"verify", "--conjectures", file, "--quiet"});
  CHECK_FALSE(contains(quiet.out, "N=4 T=6"));
  CHECK(run_popgrad({"verify", "L1", "--sizes"}).code == 2);
}

TEST_CASE("the worked examples have the verdicts that the README shows", "[slow]") {
  const Finished run = run_popgrad({"verify", "--conjectures", examples});
  INFO(run.out << run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.out, "4 claims, 4 rows: 3 verified, 1 refuted"));
}

TEST_CASE("a file of conjectures that is missing, empty or no TOML is refused") {
  const Finished missing = run_popgrad({"verify", "--conjectures", "nowhere.toml"});
  CHECK(missing.code == 2);
  CHECK(contains(missing.err, "--conjectures"));
  CHECK(lines(missing.err) == 1);
  check_refused("", {"f.toml: got no conjecture, expected at least one [[conjecture]] table"});
  check_refused("[[conjecture]\n", {"f.toml:1: not valid TOML"});
  check_refused("x = 1\n", {"f.toml:1: got the key 'x', expected [[conjecture]] tables only"});
  check_refused("[[conjectures]]\nname = \"a\"\n", {"did you mean 'conjecture'?"});
  check_refused("[conjecture]\nname = \"a\"\n", {"[[conjecture]] with two brackets"});
  check_refused("conjecture = 3\n", {"[[conjecture]] with two brackets"});
  check_refused(std::string("\0\1\2", 3), {"f.toml:1: not valid TOML"});
}

TEST_CASE("keys of a conjecture that are unknown, missing or of another kind are refused with their line") {
  check_refused(with("name", "nmae = \"x\""), {"f.toml:2: conjecture: got the key 'nmae'", "did you mean 'name'?"});
  check_refused(with("name", ""), {"name: got nothing"});
  check_refused(with("name", "name = \"a b\""), {"f.toml:2: name: got 'a b', expected at most 40 letters"});
  check_refused(with("name", "name = 3"), {"f.toml:2: name: got no text, expected a text in quotes"});
  check_refused(good + good, {"conjecture 'handed-on': got a name that is used twice"});
  check_refused(with("quantity", "quantity = \"stage1.wo2.UR.signl\""),
                {"f.toml:3: quantity: got 'stage1.wo2.UR.signl'", "did you mean 'stage1.wo2.UR.signal'?"});
  check_refused(with("quantity", "quantity = \"stage1.wo2.UP[t]\""),
                {"conjecture 'handed-on': got stage1.wo2.UP[t] at N=2 T=4", "t and s need values"});
  check_refused(with("equals", "equal = \"0\""), {"did you mean 'equals'?"});
  check_refused(with("equals", ""), {"conjecture 'handed-on': got no statement, expected one of equals, above"});
  check_refused(good + "above = \"0\"\n", {"got both equals and above"});
  check_refused(good + "background = \"anny\"\n",
                {"f.toml:7: background: got 'anny', expected any or avoid; did you mean 'any'?"});
  check_refused(good + "handoff = true\n", {"f.toml:7: handoff: got no text"});
  check_refused(good + "monomial = \"eta\"\n", {"the monomial 'eta', expected 1"});
  check_refused(good + "engine = \"exact\"\n", {"expected moments or orbits"});
  check_refused(good + "in = \"T\"\n", {"in: got a variable, expected none"});
}

TEST_CASE("formulas of a conjecture that do not parse or have no value are refused with their line") {
  const auto equals = [](const std::string& formula) { return with("equals", "equals = \"" + formula + "\""); };
  check_refused(equals(""), {"f.toml:6: equals: got an empty text"});
  check_refused(equals("1/(N"), {"f.toml:6: equals, column 5: got the end"});
  check_refused(equals("N*M"), {"f.toml:6: equals, column 3: got unknown symbol 'M', expected one of N, T, H(n), H(n, m)"});
  check_refused(equals("N^1000000000"),
                {"f.toml:6: equals, column 3: got the exponent 1000000000, expected one of at most 64"});
  check_refused(equals("1/0"), {"f.toml:6: equals, column 3: got a division by 0"});
  check_refused(equals("1/(N-4)"),
                {"conjecture 'handed-on': got 1/(N - 4) at N=4 T=4, expected a formula with a value there"});
  check_refused(equals("H(N/2)"), {"H(N/2) at N=3 T=4"});
  check_refused(equals("t"), {"unknown symbol 't'"});
  check_refused(equals(std::string(10000, '(')), {"a formula of 10000 characters"});
  check_refused(equals("N \u2212 1"), {"did you mean '-'?"});
  check_refused(with("equals", "equals = 3"), {"f.toml:6: equals: got no text"});
}

TEST_CASE("grids that are empty, out of range or too large are refused") {
  const auto sizes = [](const std::string& value) { return with("T = [", "T = " + value); };
  check_refused(sizes("[]"), {"f.toml:5: T: got an empty array, expected at least one value"});
  check_refused(sizes("\"\""), {"f.toml:5: T: got nothing"});
  check_refused(sizes("\"9..4\""), {"got an empty grid (N=2..4 T=9..4)"});
  check_refused(sizes("3"), {"f.toml:5: T: got '3' with 3, expected values in 4..512"});
  check_refused(sizes("[4, 4.5]"), {"f.toml:5: T: got another type"});
  check_refused(sizes("[[4]]"), {"an array in an array"});
  check_refused(sizes("9999999999999"), {"expected whole numbers"});
  check_refused(
      "[[conjecture]]\nname = \"a\"\nquantity = \"stage2.wk2.ER.diag\"\nN = \"2..1000\"\nT = \"430..512\"\nabove = \"0\"\n",
      {"conjecture 'a': got a grid that takes about", "minutes, expected at most 30"});
  check_refused(
      "[[conjecture]]\nname = \"a\"\nquantity = \"stage2.wk2.ER.diag\"\nN = \"2..1000000\"\nT = 4\nabove = \"0\"\n",
      {"more than 100000 sizes"});
  check_refused(with("T = [", ""), {"conjecture 'handed-on': got no T, expected a grid of sizes"});
}
