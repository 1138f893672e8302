// Configurations of training runs: lists, optimizers, and the config.toml that a run leaves.
#include <set>

#include "app/config.hpp"
#include "app/config_keys.hpp"
#include "app/option_names.hpp"
#include "core/errors.hpp"
#include "numerics/train_options_toml.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Config set(const std::string& text) { return load_config("", {parse_set(text)}, "train"); }

std::string refusal(const std::vector<Setting>& settings, const std::filesystem::path& file = "") {
  try {
    load_config(file, settings, "train");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("lists are read from TOML and from the command line, and a wrong one is named") {
  const TemporaryFolder folder;
  const auto file = folder.write("F.toml", "[train]\nrates = [[300, 0.05], [600, 1e-3]]\n[data]\noutput_weights = [3, 0, 1]\n");
  const Config config = load_config(file, {}, "train");
  REQUIRE(config.train.rates.size() == 2);
  CHECK(config.train.rates[1].step == 600);
  CHECK(config.train.rates[1].rate == 1e-3);
  CHECK(config.train.minimal.output_weights == std::vector<int>{3, 0, 1});
  CHECK(set("train.rates=[[300, 0.05]]").train.rates.front().rate == 0.05);
  CHECK(set("train.rates=[]").train.rates.empty());
  for (const char* bad : {"0.5", "[300, 0.05]", "[[300]]", "[[0, 0.1]]", "[[3, 0.1], [3, 0.2]]", "[[3, -1]]", "[[3, \"x\"]]", "[[3.5, 1]]"}) {
    INFO(bad);
    CHECK(contains(refusal({parse_set(std::string("train.rates=") + bad)}), "--set train.rates: got "));
  }
  CHECK(contains(refusal({}, folder.write("text.toml", "train.rates = \"[[300, 0.05]]\"")), "text.toml:1: train.rates: got "));
  CHECK(contains(refusal({parse_set("data.output_weights=[1, -1]")}), "got -1, expected a list of integers >= 0"));
}

TEST_CASE("another optimizer starts at its own rate and weight decay, but keeps what the user set, wherever that stands") {
  const TrainOptions adamw = set("train.optimizer=adamw").train;
  CHECK(adamw.rate == 1e-3);
  CHECK(adamw.weight_decay == 1e-2);
  const Config set = load_config("", {parse_set("train.rate=0.5"), parse_set("train.optimizer=adamw")}, "train");
  CHECK(set.train.rate == 0.5);
  // On a run that has it already nothing changes.
  CHECK(load_config("", {parse_set("train.optimizer=adamw")}, "train", set).train.rate == 0.5);
}

TEST_CASE("the config.toml of a run is a configuration of train, with the same value under every key") {
  const TemporaryFolder folder;
  std::set<std::string> seen;
  for (const char* task : {"data.task=bigram", "data.task=minimal"}) {
    const Config config = load_config("", {parse_set(task), parse_set("model.dim=8"), parse_set("run.seed=7"), parse_set("data.vocab=5"),
                                           parse_set("train.rates=[[3, 0.1]]"), parse_set("learn.tok=true"), parse_set("init.wk1.kind=zero"),
                                           parse_set("train.optimizer=adamw"), parse_set("data.output_weights=[1, 2, 3, 4, 5]")}, "train");
    const auto file = folder.write("config.toml", to_toml(config.train, "popgrad 1 (abc)"));
    const Config read = load_config(file, {}, "train");
    CHECK(resolved_keys(read.train) == resolved_keys(config.train));
    CHECK(read.seed == 7);
    for (const auto& [key, value] : resolved_keys(config.train)) seen.insert(key);
  }
  // Whatever train can be told is in it: a key that is added to one list and not to the other is noticed here.
  for (const Key& key : config_keys())
    if (key.read_by("train") && key.name != "run.threads") {
      INFO(key.name);
      CHECK((seen.contains(key.name) || key.name == "init.wk1.scale"));
    }
  CHECK(contains(refusal({}, folder.write("run.toml", "format = \"popgrad-run-9\"")), "run.toml:1: format: got 'popgrad-run-9', expected 'popgrad-run-2'"));
}

TEST_CASE("every key that TrainOptions can complain about is a configuration key") {
  std::set<std::string> keys;
  for (const Key& key : config_keys()) keys.insert(key.name);
  for (const char* field : {"data.N",
                            "data.T",
                            "data.K",
                            "data.offset",
                            "data.distinct",
                            "model.N",
                            "model.T",
                            "model.d",
                            "model.score_scale",
                            "model.tok",
                            "model.pos",
                            "model.out",
                            "model.wv1",
                            "model.wo1",
                            "model.wv2",
                            "model.wk1",
                            "model.wk2",
                            "model.wo2",
                            "model.wf",
                            "model.wf.scale",
                            "train.steps",
                            "train.batch",
                            "train.rate",
                            "train.rates",
                            "train.momentum",
                            "train.weight_decay",
                            "train.beta1",
                            "train.beta2",
                            "train.epsilon",
                            "train.freeze.wk2",
                            "train.freeze.tok",
                            "train.snapshot_every",
                            "run.seed",
                            "data.output_weights",
                            "train.eval_every",
                            "train.eval_sequences",
                            "train.checkpoint_every"}) {
    INFO(field);
    CHECK(keys.count(config_key_of(field)) == 1);
  }
}
