#include "app/config_keys.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "app/config_parse.hpp"
#include "app/key_builders.hpp"
#include "app/parse_list.hpp"
#include "app/train_keys.hpp"

namespace popgrad {
namespace {

constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range positive{0, infinity, false, false};
constexpr Range fraction_below_one{0, 1, true, false};

const Verbs v_verify = {"verify"}, v_train = {"train"}, v_both = {"verify", "train"}, v_flow = {"flow"};
const Verbs v_minimal = {"verify", "train", "flow", "gradient", "steps"};
const Verbs v_sequences = {"verify", "train", "flow", "gradient", "emergence", "steps"};
const Verbs v_drawn = {"verify", "train", "gradient"}, v_seed = {"verify", "train", "gradient", "steps"};

void add_run_keys(std::vector<Key>& keys) {
  keys.push_back(integer_key(
      "run.seed", v_seed, "seed of every random draw", 0, any_size,
      [](Config& c, std::int64_t x) { c.seed = c.train.seed = static_cast<std::uint64_t>(x); },
      [](const Config& c, bool) { return KeyValue(static_cast<std::int64_t>(c.seed)); }));
  Key threads = integer_key(
      "run.threads", {"verify", "train", "compare", "flow", "gradient", "emergence", "steps"},
      "threads; empty: all. Never changes a result", 1, 1024,
      [](Config& c, std::int64_t x) { c.threads = static_cast<int>(x); },
      [](const Config& c, bool) { return optional_value(c.threads); });
  threads.in_results = false;
  keys.push_back(std::move(threads));
  keys.push_back(number_key(
      "run.level", {"verify", "compare"}, "family-wise level of sampled comparisons, a row (verify) or all rows (compare)",
      {0, 0.05, false, true},
      [](Config& c, double x) { c.level = x; }, [](const Config& c, bool) { return KeyValue(c.level); }));
  keys.push_back(number_key(
      "verify.work", v_verify, "multiplies the number of samples of every sampled claim", {0, 1e6, false, true},
      [](Config& c, double x) { c.work = x; }, [](const Config& c, bool) { return KeyValue(c.work); }));
  keys.push_back(boolean_key(
      "verify.full", v_verify, "empirical claims at the paper's size (hours), with or without being named",
      [](Config& c, bool x) { c.full = x; }, [](const Config& c, bool) { return KeyValue(c.full); }));
  const auto compare_key = [&](const char* key, const char* doc, std::int64_t low, std::int64_t Config::*member) {
    keys.push_back(integer_key(
        key, {"compare"}, doc, low, 1'000'000'000, [member](Config& c, std::int64_t x) { c.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.*member); }));
  };
  compare_key("compare.groups", "reference sequences, in units of the run's batch", 2, &Config::compare_groups);
  compare_key("compare.minibatches", "minibatches of the stream judged at the initial weights", 1,
              &Config::compare_minibatches);
}

void add_data_keys(std::vector<Key>& keys) {
  keys.push_back(word_key(
      "data.task", v_train, "which task to train on", {"bigram", "minimal"},
      [](Config& c, const std::string& x) { c.train.task = parse_task(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.task))); }));
  keys.push_back({"data.corpus", "path", "a text, or counts made by popgrad corpus; empty: the embedded counts", v_both,
                  true, [](Config& c, const Setting& s) { c.corpus = s.folder / parse_string(s); },
                  [](const Config& c, bool) { return c.corpus ? KeyValue(c.corpus->string()) : KeyValue(); }});
  keys.push_back(integer_key(
      "data.vocab", v_minimal, "N, size of the vocabulary; that of a bigram law is its corpus'", 2, 65536,
      [](Config& c, std::int64_t x) {
        c.train.minimal.N = static_cast<int>(x);
        c.N = c.train.minimal.N;
      },
      [](const Config& c, bool train) { return train ? KeyValue(std::int64_t{c.train.minimal.N}) : optional_value(c.N); }));
  keys.push_back(integer_key(
      "data.length", v_minimal, "T, tokens of a sequence", 4, 65536,
      [](Config& c, std::int64_t x) {
        c.train.minimal.T = c.train.bigram.T = static_cast<int>(x);
        c.T = c.train.bigram.T;
      },
      [](const Config& c, bool train) { return train ? KeyValue(std::int64_t{c.train.T()}) : optional_value(c.T); }));
  keys.push_back(word_key(
      "data.background", v_sequences, "minimal task: background tokens from [N], or from [N] without the trigger",
      {"any", "avoid"},
      [](Config& c, const std::string& x) { c.background = c.train.minimal.background = parse_background(x); },
      [](const Config& c, bool train) {
        return train || c.background ? KeyValue(std::string(name(c.train.minimal.background))) : KeyValue();
      }));
  keys.push_back(word_key(
      "data.query", v_sequences, "minimal task: second trigger at T, or at T' uniform on 4..T", {"last", "any"},
      [](Config& c, const std::string& x) { c.query = c.train.minimal.query = parse_query(x); },
      [](const Config& c, bool train) {
        return train || c.query ? KeyValue(std::string(name(c.train.minimal.query))) : KeyValue();
      }));
  keys.push_back({"data.output_weights", "list of integers",
                  "minimal task: P(o = k) is proportional to them; empty: uniform", v_train, true,
                  [](Config& c, const Setting& s) { c.train.minimal.output_weights = parse_integers(s); },
                  [](const Config& c, bool) {
                    const std::vector<int>& weights = c.train.minimal.output_weights;
                    return weights.empty() ? KeyValue() : KeyValue(list_text(weights));
                  }});
  keys.push_back(integer_key(
      "data.triggers_count", v_train, "bigram task: K, number of triggers", 1, 65536,
      [](Config& c, std::int64_t x) { c.train.bigram.K = static_cast<int>(x); },
      [](const Config& c, bool) { return KeyValue(std::int64_t{c.train.bigram.K}); }));
  keys.push_back(word_key(
      "data.triggers", v_train, "the K most frequent tokens, or K draws a sequence", {"fixed", "random"},
      [](Config& c, const std::string& x) { c.train.bigram.triggers = parse_triggers(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.bigram.triggers))); }));
  keys.push_back(integer_key(
      "data.offset", v_train, "fixed triggers skip that many of the most frequent tokens", 0, 65536,
      [](Config& c, std::int64_t x) { c.train.bigram.offset = static_cast<int>(x); },
      [](const Config& c, bool) { return KeyValue(std::int64_t{c.train.bigram.offset}); }));
  keys.push_back(word_key(
      "data.outputs", v_train, "law of the outputs: uniform, or the bigram law after the trigger", {"uniform", "bigram"},
      [](Config& c, const std::string& x) { c.train.bigram.outputs = parse_outputs(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.bigram.outputs))); }));
  keys.push_back(boolean_key(
      "data.distinct_outputs", v_train, "an output never equals its trigger",
      [](Config& c, bool x) { c.train.bigram.distinct = x; },
      [](const Config& c, bool) { return KeyValue(c.train.bigram.distinct); }));
  keys.push_back(word_key(
      "data.loss", v_train, "loss at repeated triggers only, or at every position", {"head", "full"},
      [](Config& c, const std::string& x) { c.train.bigram.loss = parse_loss(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.bigram.loss))); }));
}

// The published code's scales go with d: those in TrainOptions are for its default.
void set_dimension(ModelOptions& model, int d) {
  const bool feed_forward = model.feed_forward;
  model = published_options(model.N, model.T, d);
  model.feed_forward = feed_forward;
}

void add_model_keys(std::vector<Key>& keys) {
  keys.push_back(integer_key(
      "model.dim", v_drawn, "d, dimension of the embeddings; the default scales of a model follow it", 1, 16384,
      [](Config& c, std::int64_t x) {
        c.d = static_cast<int>(x);
        set_dimension(c.train.model, *c.d);
      },
      [](const Config& c, bool train) { return train ? KeyValue(std::int64_t{c.train.model.d}) : optional_value(c.d); }));
  keys.push_back(number_key(
      "model.score_scale", v_train, "kappa, factor of the attention scores; default 1/sqrt(d)", positive,
      [](Config& c, double x) { c.train.model.score_scale = x; },
      [](const Config& c, bool) { return KeyValue(c.train.model.score_scale); }));
  keys.push_back(boolean_key(
      "model.feed_forward", v_train, "the linear feed-forward layer W_F",
      [](Config& c, bool x) { c.train.model.feed_forward = x; },
      [](const Config& c, bool) { return KeyValue(c.train.model.feed_forward); }));
  for (const Table table : {Table::tok, Table::pos, Table::out, Table::wv1, Table::wo1, Table::wv2, Table::wk1, Table::wk2,
                            Table::wo2, Table::wf}) {
    const std::string prefix = std::string("init.") + name(table);
    keys.push_back(word_key(
        prefix + ".kind", v_train,
        std::string("how ") + name(table) + " starts; another kind starts at its own default scale",
        {"zero", "uniform", "gaussian", "orthonormal"},
        [table](Config& c, const std::string& x) {
          c.train.model.at(table) = {parse_init(x), {}};
        },
        [table](const Config& c, bool) { return KeyValue(std::string(name(c.train.model.at(table).kind))); }));
    keys.push_back(number_key(
        prefix + ".scale", v_train, "half-width (uniform), deviation (gaussian), norm (orthonormal)", positive,
        [table](Config& c, double x) { c.train.model.at(table).scale = x; },
        [table](const Config& c, bool) { return optional_value(c.train.model.at(table).scale); }));
  }
}

void add_flow_keys(std::vector<Key>& keys) {
  const auto number = [&](const char* key, const char* doc, const Range& range, double FlowOptions::*member) {
    keys.push_back(number_key(
        key, v_flow, doc, range, [member](Config& c, double x) { c.flow.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.flow.*member); }));
  };
  const auto count = [&](const char* key, const char* doc, std::int64_t FlowOptions::*member) {
    keys.push_back(integer_key(
        key, v_flow, doc, 1, any_size, [member](Config& c, std::int64_t x) { c.flow.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.flow.*member); }));
  };
  count("flow.steps", "number of updates", &FlowOptions::steps);
  const auto own_rate = [&](const char* key, const char* doc, std::optional<double> FlowOptions::*member) {
    keys.push_back(number_key(
        key, v_flow, doc, positive, [member](Config& c, double x) { c.flow.*member = x; },
        [member](const Config& c, bool) { return optional_value(c.flow.*member); }));
  };
  number("flow.rate", "step size of the maps", positive, &FlowOptions::rate);
  own_rate("flow.rate_wo2", "step size of W_O2; empty: flow.rate", &FlowOptions::rate_wo2);
  own_rate("flow.rate_wk2", "step size of W_K2; empty: flow.rate", &FlowOptions::rate_wk2);
  own_rate("flow.rate_wk1", "step size of W_K1; empty: flow.rate", &FlowOptions::rate_wk1);
  number("flow.momentum", "v = momentum v - gradient", fraction_below_one, &FlowOptions::momentum);
  keys.push_back(word_key(
      "flow.blocks", v_flow, "isolated: only (U,E), (E,R) and (P,P) move", {"isolated", "full"},
      [](Config& c, const std::string& x) { c.flow.blocks = parse_blocks(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.flow.blocks))); }));
  keys.push_back(word_key(
      "flow.without", v_flow,
      "left out: the R block of W_O2; W_K1 itself; the value, key or query path of W_K1's gradient; the guess (p_hat stays 1/N)",
      {"nothing", "value_block", "wk1", "value", "key", "query", "guess"}, [](Config& c, const std::string& x) { c.flow.without = x; },
      [](const Config& c, bool) { return KeyValue(c.flow.without); }));
  count("flow.eval_every", "updates between evaluations", &FlowOptions::eval_every);
}

}  // namespace

bool Key::read_by(const std::string& verb) const { return std::find(verbs.begin(), verbs.end(), verb) != verbs.end(); }

const std::vector<Key>& config_keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all;
    add_run_keys(all);
    add_data_keys(all);
    add_model_keys(all);
    add_train_keys(all);
    add_flow_keys(all);
    return all;
  }();
  return keys;
}

}  // namespace popgrad
