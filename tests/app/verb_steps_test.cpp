// The built program on maps of step sizes, as a user meets it.
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using namespace popgrad;

namespace {

std::vector<std::string> small(std::vector<std::string> more) {
  std::vector<std::string> words = {"steps", "-N", "6", "-T", "6", "--eta1", "1,3", "--eta2", "1:9:3", "--eta3", "3,-3"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("steps prints a panel for each eta1, the level of success and the best cell, and writes its figure") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad(small({"--out", folder / "map"}));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  for (const char* word : {"eta1 = 1:", "eta1 = 3:", "exact", "hand-built perfect head", "halfway", "region of success", "best cell", "formalization"})
    CHECK(contains(run.out, word));
  for (const char* file : {"map/steps.json", "map/step_sizes.tsv", "map/step_sizes.svg"}) CHECK(std::filesystem::exists(folder / file));
  CHECK(lines(text_of(folder / "map/step_sizes.tsv")) == 13);
}

TEST_CASE("steps --json holds the same numbers, whole and for any number of threads") {
  const Finished run = run_popgrad(small({"--json"}));
  CHECK(run.code == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json.at("format") == "popgrad-steps");
  CHECK(json.at("exact") == true);
  CHECK(json.at("after_3").size() == 2);
  CHECK(json.at("after_3").at(0).size() == 3);
  CHECK(json.at("after_3").at(0).at(0).size() == 2);
  CHECK(json.at("threshold").get<double>() == Approx((json.at("chance").get<double>() + json.at("perfect_head").at("accuracy").get<double>()) / 2));
  // Upwards in the third step nothing succeeds.
  for (const auto& panel : json.at("after_3"))
    for (const auto& row : panel) CHECK(row.at(1).at("accuracy").get<double>() < row.at(0).at("accuracy").get<double>());
  const std::vector<std::string> sampled = {"steps", "-N", "6", "-T", "11", "--eta1", "1", "--eta2", "3", "--eta3", "3", "--samples", "500",
                                            "--gradient-samples", "500", "--seed", "7", "--json"};
  std::vector<std::string> one = sampled, two = sampled;
  one.insert(one.end(), {"--threads", "1"});
  two.insert(two.end(), {"--threads", "3"});
  const Finished first = run_popgrad(one);
  CHECK(first.out == run_popgrad(two).out);
  CHECK(nlohmann::json::parse(first.out).at("configuration").at("seed") == 7);
}

TEST_CASE("steps answers bad input with one line and code 2, and leaves no folder") {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"--eta1", "1:2"}, {"--eta2", "x"}, {"--eta3", "1,,2"}, {"--eta1", "2:1:3"}, {"--eta1", "0:1:3"}, {"--eta2", "1:2:1"},
           {"--eta2", "1:2:99"}, {"--eta3", "1,1"}, {"--eta3", "1e20"}, {"--handoff", "none"}, {"--blocks", "some"}, {"--background", "none"},
           {"--samples", "3"}, {"--threshold", "2"}, {"-T", "3"}, {"-N", "1"}, {"-T", "600"}, {"--query", "first"},
           {"-T", "100", "--samples", "900000000"}}) {
    std::vector<std::string> words = {"steps", "--out", folder / "map"};
    words.insert(words.end(), bad.begin(), bad.end());
    const Finished run = run_popgrad(words);
    INFO(bad[0] << " " << bad.back() << ": " << run.out << run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(run.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder / "map"));
  }
  // No signal in the second step, hence no unit of its size.
  const Finished none = run_popgrad({"steps", "-N", "2", "-T", "4"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--absolute"));
  CHECK(run_popgrad({"steps", "-N", "2", "-T", "4", "--absolute", "--eta1", "1", "--eta2", "1", "--eta3", "1"}).code == 0);
}
