#include <filesystem>

#include "gradient_support.hpp"

using namespace popgrad;

TEST_CASE("gradient --out draws one panel a monomial and leaves standard output to the JSON") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "figure").string();
  const Finished table = run_popgrad({"gradient", "--stage", "3", "--handoff", "actual", "-N", "3", "-T", "5", "--out", out});
  CHECK(table.code == 0);
  CHECK(table.out.find("figure gradient_blocks") != std::string::npos);
  const std::string tsv = text_of(folder / "figure/gradient_blocks.tsv");
  CHECK(lines(tsv) == 1 + 3 * 8 * 8);  // eta1, eta1^2, eta1^2*eta2; W_K1 has N + T rows and columns
  const Finished json = run_popgrad({"gradient", "--stage", "1", "-N", "3", "-T", "5", "--json", "--out", out});
  CHECK(lines(json.out) == 1);
  CHECK(json.err.find("figure gradient_blocks") != std::string::npos);
  CHECK(lines(text_of(folder / "figure/gradient_blocks.tsv")) == 1 + 3 * 16);
}

TEST_CASE("gradient --out refuses lengths that no figure shows before it computes anything") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "figure").string();
  const Finished run = run_popgrad({"gradient", "--stage", "1", "-N", "4", "-T", "129", "--out", out});
  CHECK(run.code == 2);
  CHECK(run.err.find("--out") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(out));
}
