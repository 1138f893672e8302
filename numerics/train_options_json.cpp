#include "numerics/train_options_json.hpp"

#include <nlohmann/json.hpp>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using nlohmann::ordered_json;
constexpr const char* format = "popgrad-run-1";

constexpr Table tables[] = {Table::tok, Table::pos, Table::out, Table::wv1, Table::wo1,
                            Table::wv2, Table::wk1, Table::wk2, Table::wo2, Table::wf};

ordered_json data_json(const TrainOptions& options) {
  if (options.task == TaskKind::minimal) {
    const MinimalTask& task = options.minimal;
    return {{"task", "minimal"},
            {"N", task.N},
            {"T", task.T},
            {"background", name(task.background)},
            {"query", name(task.query)},
            {"output_weights", task.output_weights}};
  }
  const BigramTask& task = options.bigram;
  return {{"task", "bigram"},
          {"T", task.T},
          {"K", task.K},
          {"offset", task.offset},
          {"triggers", name(task.triggers)},
          {"outputs", name(task.outputs)},
          {"distinct", task.distinct},
          {"loss", name(task.loss)}};
}

// Reads typed values and names the key that is wrong.
class Reader {
 public:
  Reader(std::string argument, const ordered_json& root) : argument_(std::move(argument)), root_(root) {}

  template <class T>
  T get(const std::string& section, const std::string& key) const {
    const ordered_json& value = find(section, key);
    bool fits = false;
    if constexpr (std::is_same_v<T, bool>) {
      fits = value.is_boolean();
    } else if constexpr (std::is_integral_v<T>) {
      fits = value.is_number_integer();
    } else if constexpr (std::is_floating_point_v<T>) {
      fits = value.is_number();
    } else if constexpr (std::is_same_v<T, std::string>) {
      fits = value.is_string();
    } else {
      fits = value.is_array();
    }
    if (!fits) throw bad(section + "." + key + " = " + value.dump());
    return value.get<T>();
  }

  const ordered_json& find(const std::string& section, const std::string& key) const {
    if (!root_.contains(section) || !root_[section].is_object() || !root_[section].contains(key))
      throw bad("no key '" + section + "." + key + "'");
    return root_[section][key];
  }

  InputError bad(const std::string& got) const { return {argument_, got, "the config.json of a popgrad run"}; }

 private:
  std::string argument_;
  const ordered_json& root_;
};

void read_data(const Reader& in, TrainOptions& options) {
  options.task = parse_task(in.get<std::string>("data", "task"));
  if (options.task == TaskKind::minimal) {
    options.minimal.N = in.get<int>("data", "N");
    options.minimal.T = in.get<int>("data", "T");
    options.minimal.background = parse_background(in.get<std::string>("data", "background"));
    options.minimal.query = parse_query(in.get<std::string>("data", "query"));
    for (const ordered_json& weight : in.find("data", "output_weights")) {
      if (!weight.is_number_integer()) throw in.bad("data.output_weights with " + weight.dump());
      options.minimal.output_weights.push_back(weight.get<int>());
    }
    return;
  }
  options.bigram.T = in.get<int>("data", "T");
  options.bigram.K = in.get<int>("data", "K");
  options.bigram.offset = in.get<int>("data", "offset");
  options.bigram.triggers = parse_triggers(in.get<std::string>("data", "triggers"));
  options.bigram.outputs = parse_outputs(in.get<std::string>("data", "outputs"));
  options.bigram.distinct = in.get<bool>("data", "distinct");
  options.bigram.loss = parse_loss(in.get<std::string>("data", "loss"));
}

void read_model(const Reader& in, ModelOptions& model) {
  model.d = in.get<int>("model", "d");
  model.score_scale = in.get<double>("model", "score_scale");
  model.feed_forward = in.get<bool>("model", "feed_forward");
  for (const Table table : tables) {
    const ordered_json& spec = in.find("model", name(table));
    if (!spec.is_object() || !spec.contains("kind") || !spec["kind"].is_string() || !spec.contains("scale") ||
        !(spec["scale"].is_null() || spec["scale"].is_number()))
      throw in.bad(std::string("model.") + name(table) + " = " + spec.dump());
    model.at(table).kind = parse_init(spec["kind"].get<std::string>());
    model.at(table).scale.reset();
    if (spec["scale"].is_number()) model.at(table).scale = spec["scale"].get<double>();
  }
}

}  // namespace

std::string to_json(const TrainOptions& options, const std::string& program) {
  ordered_json model = {
      {"d", options.model.d}, {"score_scale", options.model.score_scale}, {"feed_forward", options.model.feed_forward}};
  for (const Table table : tables) {
    const InitSpec& spec = options.model.at(table);
    model[name(table)] = {{"kind", name(spec.kind)},
                          {"scale", spec.scale ? ordered_json(*spec.scale) : ordered_json(nullptr)}};
  }
  const ordered_json freeze = {
      {"wk1", options.freeze.wk1}, {"wk2", options.freeze.wk2}, {"wo2", options.freeze.wo2}, {"wf", options.freeze.wf}};
  const ordered_json train = {{"seed", options.seed},
                              {"steps", options.steps},
                              {"batch", options.batch},
                              {"rate", options.rate},
                              {"momentum", options.momentum},
                              {"weight_decay", options.weight_decay},
                              {"freeze", freeze},
                              {"eval_every", options.eval_every},
                              {"eval_sequences", options.eval_sequences},
                              {"checkpoint_every", options.checkpoint_every}};
  const ordered_json root = {
      {"format", format}, {"program", program}, {"data", data_json(options)}, {"model", model}, {"train", train}};
  return root.dump(2) + "\n";
}

TrainOptions parse_train_options(const std::string& argument, const std::string& text) {
  const ordered_json root = ordered_json::parse(text, nullptr, false);
  const Reader in(argument, root);
  if (!root.is_object()) throw in.bad("a text that is not a JSON object");
  if (!root.contains("format") || root["format"] != format)
    throw InputError(argument, "format " + (root.contains("format") ? root["format"].dump() : std::string("missing")),
                     std::string("\"") + format + "\"");
  TrainOptions options;
  read_data(in, options);
  read_model(in, options.model);
  options.seed = in.get<std::uint64_t>("train", "seed");
  options.steps = in.get<std::int64_t>("train", "steps");
  options.batch = in.get<int>("train", "batch");
  options.rate = in.get<double>("train", "rate");
  options.momentum = in.get<double>("train", "momentum");
  options.weight_decay = in.get<double>("train", "weight_decay");
  const ordered_json& freeze = in.find("train", "freeze");
  for (const auto& [key, target] : {std::pair{"wk1", &options.freeze.wk1},
                                    {"wk2", &options.freeze.wk2},
                                    {"wo2", &options.freeze.wo2},
                                    {"wf", &options.freeze.wf}}) {
    if (!freeze.contains(key) || !freeze[key].is_number_integer()) throw in.bad("train.freeze = " + freeze.dump());
    *target = freeze[key].get<std::int64_t>();
  }
  options.eval_every = in.get<std::int64_t>("train", "eval_every");
  options.eval_sequences = in.get<int>("train", "eval_sequences");
  options.checkpoint_every = in.get<std::int64_t>("train", "checkpoint_every");
  return options;
}

}  // namespace popgrad
