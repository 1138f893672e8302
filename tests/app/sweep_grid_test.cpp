#include "app/sweep_grid.hpp"

#include <cmath>
#include <set>

#include "core/errors.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

SweepGrid grid_of(const TemporaryFolder& folder, const std::string& text) {
  return make_sweep_grid(read_sweep_file(folder.write("sweep.toml", text)), {});
}

std::vector<std::string> names(const SweepGrid& grid) {
  std::vector<std::string> all;
  for (const SweepSetting& setting : grid.settings) all.push_back(setting.name);
  return all;
}

}  // namespace

TEST_CASE("a grid: variants outermost, lists as in the file, seeds innermost, values applied in any order") {
  const TemporaryFolder folder;
  const SweepGrid grid = grid_of(folder, R"toml(
[run]
seed = "7..8"
[init]
wk1 = { scale = 0.5, kind = "gaussian" }
[train]
rate = [0.5, 0.25]
[model]
dim = [16, 32]
[[variant]]
name = "base"
[[variant]]
name = "kappa"
model.score_scale = 1
)toml");
  CHECK(grid.seeds == std::vector<std::uint64_t>{7, 8});
  CHECK(grid.varied == std::vector<std::string>{"train.rate", "model.dim"});
  CHECK(names(grid) == std::vector<std::string>{"base train.rate=0.5 model.dim=16", "base train.rate=0.5 model.dim=32",
                                                "base train.rate=0.25 model.dim=16", "base train.rate=0.25 model.dim=32",
                                                "kappa train.rate=0.5 model.dim=16", "kappa train.rate=0.5 model.dim=32",
                                                "kappa train.rate=0.25 model.dim=16", "kappa train.rate=0.25 model.dim=32"});
  REQUIRE(grid.runs.size() == 16);
  CHECK(grid.runs[5].folder == "base,train.rate=0.25,model.dim=16,seed=8");
  const TrainOptions options = grid.options(grid.runs[15]);
  CHECK(options.seed == 8);
  CHECK(options.rate == 0.25);
  CHECK(options.model.d == 32);
  CHECK(options.model.score_scale == 1);  // the dimension does not undo it
  CHECK(options.model.wk1.scale == 0.5);
  CHECK(grid.options(grid.runs[3]).model.score_scale == Approx(1 / std::sqrt(32.0)));
}

TEST_CASE("without a list, a variant or a seed a sweep is one run of the defaults") {
  const TemporaryFolder folder;
  const SweepGrid grid = grid_of(folder, "");
  CHECK(names(grid) == std::vector<std::string>{"all"});
  REQUIRE(grid.runs.size() == 1);
  CHECK(grid.runs[0].folder == "seed=1");
}

TEST_CASE("keys whose value is a list vary in variants, the weights of outputs are none of the bigram task") {
  const TemporaryFolder folder;
  const SweepGrid grid = grid_of(folder, R"toml(
format = "popgrad-run-2"
[train]
rates = [[10, 0.125]]
[[variant]]
name = "one"
[[variant]]
name = "two"
train.rates = [[10, 0.25], [20, 0.0625]]
)toml");
  REQUIRE(grid.settings.size() == 2);
  CHECK(grid.varied.empty());
  REQUIRE(grid.settings[0].config.train.rates.size() == 1);
  REQUIRE(grid.settings[1].config.train.rates.size() == 2);
  CHECK(grid.settings[1].config.train.rates[1].step == 20);
  CHECK(grid.settings[1].config.train.rates[1].rate == 0.0625);
  const std::string weights = "[[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\ndata.output_weights = [1, 2]\n";
  CHECK_THROWS_AS(grid_of(folder, weights), Error);
}

TEST_CASE("names of runs round nothing and stay names: near values, values with commas and slashes, long ones") {
  const TemporaryFolder folder;
  const SweepGrid near =
      grid_of(folder, "[run]\nseed = [1, 11]\n[train]\nrate = [0.0005, 0.0009, 0.0005000000000000001, 1e-300, 5]\n");
  std::set<std::string> folders;
  for (const SweepRun& run : near.runs) folders.insert(run.folder);
  CHECK(folders.size() == 10);
  CHECK(folders.contains("train.rate=0.0005000000000000001,seed=11"));
  CHECK_THROWS_AS(grid_of(folder, "[train]\nrate = [0.0005, 0.00050000000000000001]\n"), Error);  // one double

  const std::string deep(180, 'x');
  folder.write("a,seed=1", "abracadabra");
  std::filesystem::create_directories(folder / deep);
  folder.write(deep + "/p", "abracadabra");
  folder.write(deep + "/q", "abracadabrac");
  const SweepGrid paths =
      grid_of(folder, "[data]\ntriggers_count = 2\ncorpus = [\"a,seed=1\", \"" + deep + "/p\", \"" + deep + "/q\"]\n");
  REQUIRE(paths.runs.size() == 3);
  CHECK(paths.runs[0].folder == "data.corpus=a%2Cseed%3D1,seed=1");
  CHECK(paths.runs[1].folder != paths.runs[2].folder);
  for (const SweepRun& run : paths.runs) {
    CHECK(run.folder.size() < 256);
    CHECK(run.folder.ends_with(",seed=1"));
    CHECK(run.folder.find('/') == std::string::npos);
  }
}

TEST_CASE("file names of values: what is no letter, digit, '.', '_', '-' or '+' is written by its byte") {
  CHECK(file_name_of("1e-300") == "1e-300");
  CHECK(file_name_of("a/b,c=d%") == "a%2Fb%2Cc%3Dd%25");
  CHECK(file_name_of("é") == "%C3%A9");
}
