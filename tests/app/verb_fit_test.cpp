// popgrad fit as a user runs it.
#include <nlohmann/json.hpp>

#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

void check_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& said) {
  const Finished run = run_popgrad(arguments);
  std::string command;
  for (const std::string& word : arguments) command += " " + word;
  INFO("popgrad" << command << "\n" << run.err);
  CHECK(run.code == 2);
  CHECK(lines(run.err) == 1);
  for (const std::string& part : said) CHECK(contains(run.err, part));
  CHECK(run.out.empty());
}

}  // namespace

TEST_CASE("fit finds h_T without being told where to look") {
  const Finished run = run_popgrad({"fit", "stage1.wo2.UR.diag"});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "(N - 1)*(T^2 - T*H(T - 1) - 2)/(N^2*T^2*(T - 2))"));
  CHECK(contains(run.out, "sizes that were held out"));
  CHECK(contains(run.out, "agrees with sums over orbits"));
}

TEST_CASE("fit finds the second step for both backgrounds and the entries of the third", "[slow]") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"fit", "stage2.wk2.ER.diag", "--background", "any"},
        {"fit", "stage2.wk2.ER.diag", "--background", "avoid"},
        {"fit", "stage2.wk2.ER.diag", "--handoff", "actual", "--blocks", "isolated"},
        {"fit", "stage3.wk1.PP[t,t-1]", "--background", "any"},
        {"fit", "stage3.wk1.PP[t,t-1]", "--background", "avoid"},
        {"fit", "stage3.wk1.PP[t,t]"},
        {"fit", "stage3.wk1.PP[t,1]"},
        {"fit", "stage3.wk1.PP[T,T-1]"}}) {
    const Finished run = run_popgrad(arguments);
    INFO(arguments[1] << "\n" << run.out << run.err);
    CHECK(run.code == 0);
  }
}

TEST_CASE("fit says honestly that a basis has no closed form, with exit code 1") {
  const Finished run = run_popgrad({"fit", "stage1.wo2.UR.diag", "--basis", "1, T, H(T-1)", "--denominator", "N*T*(T-2)"});
  INFO(run.out << run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.out, "no closed form in this basis"));
  CHECK_FALSE(contains(run.out, "LaTeX"));
}

TEST_CASE("fit says that the sizes do not determine a closed form, with exit code 3") {
  const Finished run = run_popgrad({"fit", "stage1.wo2.UR.diag", "-N", "4", "-T", "4..7", "--basis", "1, T, T^2, T^3"});
  INFO(run.out << run.err);
  CHECK(run.code == 3);
  CHECK(contains(run.out, "undecided"));
  CHECK(run_popgrad({"fit", "stage1.wo2.UE.diag", "-T", "6", "--basis", "1/N, 2/N, 1/N^2"}).code == 3);
}

TEST_CASE("fit --json has the closed form, the attempts and every size") {
  const Finished run = run_popgrad({"fit", "stage1.wo2.UE.diag", "--json"});
  REQUIRE(run.code == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["format"] == "popgrad-fit");
  CHECK(json["outcome"] == "found");
  CHECK(json["closed_form"]["text"] == "(N - 1)/(N^2*T)");
  CHECK(json["closed_form"]["latex"] == "\\frac{N - 1}{N^{2}\\,T}");
  CHECK(json["attempts"].back()["held_out"].size() >= 3);
  CHECK(json["attempts"].back()["contradiction"].is_null());
}

TEST_CASE("fit --list prints quantities that fit takes") {
  const Finished run = run_popgrad({"fit", "--list"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "stage2.wk2.ER.diag\n"));
  CHECK(contains(run.out, "stage3.wk1.PP.margin[t]\n"));
}

TEST_CASE("what fit cannot take is refused in one line") {
  check_refused({"fit"}, {"QUANTITY", "nothing", "popgrad fit --list"});
  check_refused({"fit", "stage2.wk2.ER.dig"}, {"did you mean 'stage2.wk2.ER.diag'?"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--background", "every"}, {"--background", "any or avoid"});
  check_refused({"fit", "stage2.wk2.ER.diag", "-T", "9..4"}, {"an empty grid"});
  check_refused({"fit", "stage2.wk2.ER.diag", "-T", "2..9"}, {"-T", "values in 4..512"});
  check_refused({"fit", "stage2.wk2.ER.diag", "-t", "3"}, {"-t", "has no t"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--basis", "1, H(T-1"}, {"--basis", "column"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--basis", "1,,T"}, {"--basis", "an empty text"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--basis", "t"}, {"--basis", "unknown symbol 't'"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--basis", "1/(N-4)"}, {"--basis", "at N=4 T=4"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--basis", "1", "--denominator", "T-5"}, {"--basis", "is 0 at N=2 T=5"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--denominator", "T"}, {"--denominator", "--basis with it"});
  check_refused({"fit", "stage3.wk1.PP[t,t-1]", "--handoff", "actual"}, {"--basis", "sizes up to T = 9 suggest none"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--engine", "magic"}, {"--engine", "moments or orbits"});
  check_refused({"fit", "stage2.wk2.ER.diag", "--threads", "0"}, {"--threads"});
}
