#include "app/train_keys.hpp"

#include <limits>

#include "app/key_builders.hpp"
#include "app/parse_list.hpp"

namespace popgrad {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range positive{0, infinity, false, false};
constexpr Range fraction_below_one{0, 1, true, false};
constexpr Range non_negative{0, infinity, true, false};

const Verbs v_train = {"train"};

// PyTorch's defaults for AdamW, the published code's for SGD.
void set_optimizer(TrainOptions& train, OptimizerKind kind) {
  if (train.optimizer == kind) return;
  train.optimizer = kind;
  const TrainOptions defaults;
  train.rate = kind == OptimizerKind::adamw ? 1e-3 : defaults.rate;
  train.weight_decay = kind == OptimizerKind::adamw ? 1e-2 : defaults.weight_decay;
}

}  // namespace

void add_train_keys(std::vector<Key>& keys) {
  const auto count = [&](const char* key, const char* doc, std::int64_t low, auto member) {
    keys.push_back(integer_key(
        key, v_train, doc, low, member_limit<decltype(member)>(),
        [member](Config& c, std::int64_t x) { assign(c.train.*member, x); },
        [member](const Config& c, bool) { return KeyValue(static_cast<std::int64_t>(c.train.*member)); }));
  };
  const auto number = [&](const char* key, const char* doc, const Range& range, double TrainOptions::*member) {
    keys.push_back(number_key(
        key, v_train, doc, range, [member](Config& c, double x) { c.train.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.train.*member); }));
  };
  count("train.steps", "number of updates", 1, &TrainOptions::steps);
  count("train.batch", "sequences an update, all fresh", 1, &TrainOptions::batch);
  keys.push_back(word_key(
      "train.kernel", v_train, "gradients by float kernels, or by the double reference model (learned embeddings: always)",
      {"fast", "reference"}, [](Config& c, const std::string& x) { c.train.kernel = parse_kernel(x); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.kernel))); }));
  keys.push_back(word_key(
      "train.optimizer", v_train, "update rule; another one starts at its own rate and weight_decay (adamw: 0.001, 0.01)",
      {"sgd", "adamw"}, [](Config& c, const std::string& x) { set_optimizer(c.train, parse_optimizer(x)); },
      [](const Config& c, bool) { return KeyValue(std::string(name(c.train.optimizer))); }));
  number("train.rate", "learning rate; train.rates may change it later", positive, &TrainOptions::rate);
  keys.push_back({"train.rates", "list of [step, rate]",
                  "learning rates after that many updates, [[300, 0.05], [600, 0.01]]; empty: train.rate throughout", v_train, true,
                  [](Config& c, const Setting& s) { c.train.rates = parse_rates(s); },
                  [](const Config& c, bool) { return c.train.rates.empty() ? KeyValue() : KeyValue(list_text(c.train.rates)); }});
  number("train.momentum", "sgd: v = momentum v + gradient", fraction_below_one, &TrainOptions::momentum);
  number("train.weight_decay", "sgd: added to the gradient, weight_decay times the weights; adamw: apart from it", non_negative,
         &TrainOptions::weight_decay);
  number("train.beta1", "adamw: decay of the mean of gradients", fraction_below_one, &TrainOptions::beta1);
  number("train.beta2", "adamw: decay of the mean of squared gradients", fraction_below_one, &TrainOptions::beta2);
  number("train.epsilon", "adamw: added to the root of the mean square", positive, &TrainOptions::epsilon);
  count("train.eval_every", "updates between evaluations", 1, &TrainOptions::eval_every);
  count("train.eval_sequences", "held-out sequences of an evaluation", 1, &TrainOptions::eval_sequences);
  count("train.checkpoint_every", "updates between checkpoints", 1, &TrainOptions::checkpoint_every);
  count("train.snapshot_every", "updates between states that are kept, in checkpoints/, the first and the last among them; 0: none", 0,
        &TrainOptions::snapshot_every);
  const auto freeze = [&](const char* map, const Verbs& verbs, std::int64_t FreezeUntil::*member) {
    keys.push_back(integer_key(
        std::string("freeze.") + map, verbs, std::string(map) + " is not trained before this update", 0, member_limit<decltype(member)>(),
        [member](Config& c, std::int64_t x) { c.train.freeze.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.train.freeze.*member); }));
  };
  freeze("wk1", {"train", "flow"}, &FreezeUntil::wk1);
  freeze("wk2", {"train", "flow"}, &FreezeUntil::wk2);
  freeze("wo2", {"train", "flow"}, &FreezeUntil::wo2);
  freeze("wf", v_train, &FreezeUntil::wf);
  freeze("tok", v_train, &FreezeUntil::tok);
  freeze("pos", v_train, &FreezeUntil::pos);
  freeze("out", v_train, &FreezeUntil::out);
  const auto learn = [&](const char* table, const char* doc, bool Learned::*member) {
    keys.push_back(boolean_key(
        std::string("learn.") + table, v_train, doc, [member](Config& c, bool x) { c.train.learn.*member = x; },
        [member](const Config& c, bool) { return KeyValue(c.train.learn.*member); }));
  };
  learn("tok", "the token embeddings w_E are trained (slower)", &Learned::tok);
  learn("pos", "the position embeddings p_t are trained (slower)", &Learned::pos);
  learn("out", "the output embeddings w_U are trained (slower)", &Learned::out);
}

}  // namespace popgrad
