#include "app/config.hpp"

#include <set>

#include "app/config_keys.hpp"
#include "app/option_names.hpp"
#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "temporary_folder.hpp"
#include "theory/claims/first_batch.hpp"

using namespace popgrad;

namespace {

Config from_set(const std::string& text, const std::string& verb = "train") {
  return load_config("", {parse_set(text)}, verb);
}

std::string error_of_set(const std::string& text, const std::string& verb = "train") {
  try {
    from_set(text, verb);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

std::string error_of_toml(const std::string& text, const std::string& verb = "train") {
  const TemporaryFolder folder;
  const auto file = folder.write("F.toml", text);
  try {
    load_config(file, {}, verb);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    std::string message = error.what();
    const std::size_t at = message.find(folder.path().string() + "/");
    if (at != std::string::npos) message.erase(at, folder.path().string().size() + 1);
    return message;
  }
  return "accepted";
}

// A value of the key's type that differs from its default.
std::string other_value(const Key& key) {
  const std::string now = to_text(key.get(Config(), true));
  if (key.type == "integer") return now == "7" ? "8" : "7";
  if (key.type == "number") return now == "0.05" ? "0.04" : "0.05";
  if (key.type == "path") return "some/file";
  if (key.type == "list of integers") return "[1, 0, 7]";
  if (key.type == "list of [step, rate]") return "[[3, 0.5], [40, 0.001]]";
  const std::size_t bar = key.type.find('|');
  const std::string first = key.type.substr(0, bar);
  return now == first ? key.type.substr(bar + 1, key.type.find('|', bar + 1) - bar - 1) : first;
}

}  // namespace

TEST_CASE("another dimension brings its own scales, but keeps what the user set, wherever that stands") {
  const Config config = load_config(
      "", {parse_set("init.wk1.kind=gaussian"), parse_set("init.wk2.scale=3"), parse_set("model.dim=256")}, "train");
  CHECK(config.train.model.score_scale == 1.0 / 16);
  CHECK(config.train.model.wo2.scale == 1.0 / 16);
  CHECK(config.train.model.wk2.scale == 3.0);
  CHECK(config.train.model.wk1.kind == Init::gaussian);
  CHECK_FALSE(config.train.model.wk1.scale.has_value());  // the kind's own default
  const Config kept = load_config(
      "", {parse_set("model.score_scale=1"), parse_set("model.feed_forward=true"), parse_set("model.dim=256")}, "train");
  CHECK(kept.train.model.score_scale == 1);
  CHECK(kept.train.model.feed_forward);
}

TEST_CASE("every key is set by --set, changes what its getter says, and no other key") {
  const Config defaults;
  for (const Key& key : config_keys()) {
    const std::string value = other_value(key);
    INFO(key.name << " = " << value);
    const Config config = from_set(key.name + "=" + value, key.verbs.front());
    CHECK(to_text(key.get(config, true)) == value);
    // The task decides which T a run has; a dimension and a kind bring default scales, an optimizer its rate and weight decay.
    if (key.name == "data.task" || key.name == "train.optimizer" || key.name == "model.dim" || key.name.ends_with(".kind")) continue;
    for (const Key& other : config_keys())
      if (other.name != key.name) CHECK(to_text(other.get(config, true)) == to_text(other.get(defaults, true)));
  }
}

TEST_CASE("keys have distinct names, a documented meaning and a verb that reads them") {
  std::set<std::string> names;
  for (const Key& key : config_keys()) {
    INFO(key.name);
    CHECK(names.insert(key.name).second);
    CHECK(key.doc.size() > 5);
    CHECK_FALSE(key.verbs.empty());
  }
  for (const char* name : {"run.seed",
                           "run.threads",
                           "run.level",
                           "data.task",
                           "data.corpus",
                           "data.vocab",
                           "data.length",
                           "data.triggers_count",
                           "data.triggers",
                           "data.offset",
                           "data.outputs",
                           "data.distinct_outputs",
                           "data.loss",
                           "data.background",
                           "data.query",
                           "model.dim",
                           "model.score_scale",
                           "model.feed_forward",
                           "init.wk1.kind",
                           "init.tok.scale",
                           "train.steps",
                           "train.batch",
                           "train.rate",
                           "train.momentum",
                           "train.weight_decay",
                           "train.eval_every",
                           "train.eval_sequences",
                           "train.checkpoint_every",
                           "freeze.wk1",
                           "freeze.wk2",
                           "freeze.wo2",
                           "freeze.wf",
                           "freeze.tok",
                           "learn.out",
                           "train.optimizer",
                           "train.rates",
                           "train.snapshot_every",
                           "verify.work"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("T and N reach the claims and both tasks, d the claims and the model") {
  const Config config =
      load_config("", {parse_set("data.vocab=9"), parse_set("data.length=11"), parse_set("model.dim=13")}, "verify");
  CHECK(config.N == 9);
  CHECK(config.train.minimal.N == 9);
  CHECK(config.T == 11);
  CHECK(config.train.minimal.T == 11);
  CHECK(config.train.bigram.T == 11);
  CHECK(config.d == 13);
  CHECK(config.train.model.d == 13);
  CHECK_FALSE(Config().N.has_value());
}

TEST_CASE("a TOML file sets keys of every type, and the command line wins over it") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("F.toml",
                   "run.seed = 5\n[data]\nvocab = 10\ntriggers = \"random\"\ndistinct_outputs = true\n"
                   "corpus = \"text.txt\"\n[train]\nrate = 0.125\nmomentum = 0\n[init.wk1]\nkind = \"gaussian\"\n");
  const Config config = load_config(file, {parse_set("data.vocab=12")}, "train");
  CHECK(config.seed == 5);
  CHECK(config.train.seed == 5);
  CHECK(config.N == 12);
  CHECK(config.train.bigram.triggers == Triggers::random);
  CHECK(config.train.bigram.distinct);
  CHECK(config.train.rate == 0.125);
  CHECK(config.train.momentum == 0);
  CHECK(config.train.model.wk1.kind == Init::gaussian);
  CHECK(config.corpus == folder / "text.txt");  // relative to the file that names it
}

TEST_CASE("an unknown TOML key is named with its line and the nearest key") {
  CHECK(error_of_toml("[data]\n# comment\nvocb = 10\n") == "F.toml:3: unknown key 'data.vocb'; did you mean 'data.vocab'?");
  CHECK(contains(error_of_toml("\ndata = 5\n"), "F.toml:2: unknown key 'data'"));
  CHECK(contains(error_of_toml("[zzzzzzzzzzzzzzz]\nq = 1\n"),
                 "F.toml:2: unknown key 'zzzzzzzzzzzzzzz.q'; expected a key listed by"));
  CHECK(contains(error_of_toml("[train]\nsteps = 5\n[train.rate]\nx = 1\n"), "F.toml:4: unknown key 'train.rate.x'"));
}

TEST_CASE("the first unknown key in the file is reported, not the first in the alphabet") {
  CHECK(contains(error_of_toml("zeta = 1\nalpha = 2\n"), "F.toml:1: unknown key 'zeta'"));
}

TEST_CASE("a TOML value of the wrong type is named with its line, value and what was expected") {
  CHECK(error_of_toml("[data]\nvocab = \"ten\"\n") ==
        "F.toml:2: data.vocab: got 'ten', expected an integer from 2 to 65536");
  CHECK(error_of_toml("data.vocab = 10.0") == "F.toml:1: data.vocab: got 10, expected an integer from 2 to 65536");
  CHECK(error_of_toml("data.vocab = [1, 2]") == "F.toml:1: data.vocab: got [1, 2], expected an integer from 2 to 65536");
  CHECK(error_of_toml("train.rate = true") == "F.toml:1: train.rate: got true, expected a number > 0");
  CHECK(error_of_toml("data.task = 3") == "F.toml:1: data.task: got 3, expected bigram or minimal");
  CHECK(error_of_toml("model.feed_forward = 1") == "F.toml:1: model.feed_forward: got 1, expected true or false");
  CHECK(error_of_toml("train.rate = 1979-05-27") == "F.toml:1: train.rate: got 1979-05-27, expected a number > 0");
  CHECK(error_of_toml("data.corpus = \"\"") == "F.toml:1: data.corpus: got '', expected a text that is not empty");
}

TEST_CASE("a value out of range names key, value and range") {
  CHECK(error_of_set("data.vocab=1") == "--set data.vocab: got '1', expected an integer from 2 to 65536");
  CHECK(error_of_set("data.length=3") == "--set data.length: got '3', expected an integer from 4 to 65536");
  CHECK(error_of_set("train.steps=-5") == "--set train.steps: got '-5', expected an integer >= 1");
  CHECK(error_of_set("train.batch=3000000000") ==
        "--set train.batch: got '3000000000', expected an integer from 1 to 2147483647");
  CHECK(error_of_set("train.momentum=1") == "--set train.momentum: got '1', expected a number in [0, 1)");
  CHECK(error_of_toml("[run]\nlevel = 0.5\n", "verify") == "F.toml:2: run.level: got 0.5, expected a number in (0, 0.05]");
  CHECK(error_of_set("verify.work=inf", "verify") == "--set verify.work: got 'inf', expected a number in (0, 1000000]");
  CHECK(error_of_set("run.seed=-1") == "--set run.seed: got '-1', expected an integer >= 0");
  CHECK(error_of_set("data.triggers=fxed") ==
        "--set data.triggers: got 'fxed', expected fixed or random; did you mean 'fixed'?");
}

TEST_CASE("numbers are read whole: no tail, no sign of plus, no hexadecimal, no exponent in an integer, no NaN") {
  for (const char* bad : {"", " 7", "7 ", "7x", "+7", "0x7", "1e3", "7.0"}) {
    INFO("'" << bad << "'");
    CHECK(error_of_set(std::string("train.steps=") + bad) != "accepted");
  }
  for (const char* bad : {"", "0.5x", "nan", "0,5", "1e999"}) {
    INFO("'" << bad << "'");
    CHECK(error_of_set(std::string("train.rate=") + bad) != "accepted");
  }
  CHECK(from_set("train.rate=1e-3").train.rate == 1e-3);
}

TEST_CASE("broken TOML is reported with file and line in one line") {
  const std::string message = error_of_toml("[data]\nvocab = \n");
  CHECK(contains(message, "F.toml:2: not valid TOML"));
  CHECK_FALSE(contains(message, "\n"));
  CHECK(contains(error_of_toml("a = 1\na = 2\n"), "F.toml:2: not valid TOML"));
}

TEST_CASE("the option --set needs key=value and a known key") {
  CHECK(error_of_set("train.rate") == "--set: got 'train.rate', expected key=value, such as train.rate=0.5");
  CHECK(error_of_set("=5") == "--set: got '=5', expected key=value, such as train.rate=0.5");
  CHECK(error_of_set("train.rat=5") == "--set: unknown key 'train.rat'; did you mean 'train.rate'?");
}

TEST_CASE("a key that the verb does not read is refused on the command line and passed over in a file") {
  CHECK(
      contains(error_of_set("train.rate=0.5", "verify"), "--set train.rate: got '0.5', expected a key that 'verify' reads"));
  CHECK(error_of_toml("train.rate = 0.5", "verify") == "accepted");
}

TEST_CASE("the table of keys has every key of its verb, with its default, and none of another verb") {
  const std::string table = keys_table("train");
  for (const Key& key : config_keys()) {
    INFO(key.name);
    CHECK(contains("\n" + table, "\n" + key.name + " ") == key.read_by("train"));
    if (key.read_by("train")) CHECK(contains(table, key.doc));
  }
  CHECK(contains(table, "train.momentum"));
  CHECK(contains(table, "0.9"));
}

TEST_CASE("errors of the numerics reach the user under the configuration key") {
  CHECK(config_key_of("data.K") == "data.triggers_count");
  CHECK(config_key_of("model.d") == "model.dim");
  CHECK(config_key_of("model.tok.scale") == "init.tok.scale");
  CHECK(config_key_of("model.out") == "init.out.kind");
  CHECK(config_key_of("train.freeze.wk1") == "freeze.wk1");
  CHECK(config_key_of("train.rate") == "train.rate");
  TrainOptions options;
  options.bigram.K = 66;
  try {
    with_config_keys([&] { options.validate(default_counts()); });
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK(contains(error.what(), "data.triggers_count: got 66, expected"));
  }
}

TEST_CASE("the defaults of compare are those of the comparison itself") {
  CHECK(Config().compare_groups == CompareOptions().groups);
  CHECK(Config().compare_minibatches == CompareOptions().minibatches);
  CHECK(Config().level == CompareOptions().level);
}
