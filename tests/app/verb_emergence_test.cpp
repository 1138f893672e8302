// The built program on emergence times, as a user meets it.
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("emergence shows times, exponents over four lengths with their model error, and writes what it shows") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad({"emergence", "-N", "3", "-T", "4,5,6,7", "--rate", "4", "--out", folder / "e", "--no-figures"});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  for (const char* word : {"avoid query=last", "rates 4, 2, 1", "emergence over T = 4, 5, 6, 7 at N = 3", "local exponents: 4..5", "pure power T^p",
                           "with a term b/T", "for large T"})
    CHECK(contains(run.out, word));
  CHECK(contains(run.out, "72.36"));  // (3,6): 72.361 by another program of rates 2, 1, 0.5
  CHECK(lines(text_of(folder / "e/emergence.tsv")) == 5);
  const std::string json = text_of(folder / "e/emergence.json");
  for (const char* word : {"popgrad-emergence-1", "\"points\"", "\"with_square\"", "\"interpolation\""}) CHECK(contains(json, word));
  const Finished again = run_popgrad({"emergence", "-N", "3", "-T", "4,5,6,7", "--rate", "4", "--threads", "1"});
  CHECK(again.out == run.out.substr(0, run.out.find("wrote ")));
}

TEST_CASE("emergence: a path left out, a flow that does not get there, fewer sizes than an exponent needs") {
  const Finished run = run_popgrad({"emergence", "-N", "4", "-T", "5,6", "--without", "nothing,wk1", "--rate", "4", "--longest", "100", "--attention"});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "W_K1 at zero"));
  CHECK(contains(run.out, "never"));
  CHECK(contains(run.out, "fewer than four sizes"));
  CHECK(contains(run.out, "attention on places before tau"));
}

TEST_CASE("emergence answers bad input with one line and code 2, and leaves no folder") {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"-T", "3"}, {"-T", "15"}, {"-T", "6,5"}, {"-T", "5,"}, {"-T", ""}, {"-N", "1"}, {"-N", "4,x"}, {"--rate", "0"}, {"--rates", "1"},
           {"--without", "keys"}, {"--without", ""}, {"--longest", "0.1"}, {"--accuracy", "2"}, {"--blocks", "some"}, {"--background", "none"},
           {"-N", "8", "-T", "13"}}) {
    std::vector<std::string> words = {"emergence", "--out", folder / "e"};
    words.insert(words.end(), bad.begin(), bad.end());
    const Finished run = run_popgrad(words);
    INFO(bad.front() << " " << bad.back() << ": " << run.out << run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(run.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder / "e"));
  }
}
