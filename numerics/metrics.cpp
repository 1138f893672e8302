#include "numerics/metrics.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace popgrad {
namespace {

using nlohmann::ordered_json;

// Puts numbers into a line; null wherever there is none, and why.
class Line {
 public:
  ordered_json number(const std::string& path, double x) {
    if (std::isfinite(x)) return x;
    return none(path, "not finite");
  }
  ordered_json none(const std::string& path, const std::string& reason) {
    reasons_[path] = reason;
    return nullptr;
  }
  // No number may look like a measurement where nothing was probed.
  ordered_json probe(const std::string& path, const Probe& probe) {
    if (probe.empty()) return none(path, "nothing to probe: 0 rows");
    return {{"value", number(path + ".value", probe.value)},
            {"chance", number(path + ".chance", probe.chance)},
            {"margin", number(path + ".margin", probe.margin)},
            {"ties", probe.ties},
            {"rows", probe.rows}};
  }
  const ordered_json& reasons() const { return reasons_; }

 private:
  ordered_json reasons_ = ordered_json::object();
};

ordered_json batch_json(const LastBatch& batch, Line& line) {
  ordered_json norms = ordered_json::object();
  for (const auto& [table, norm] : batch.norms) {
    const std::string path = std::string("batch.gradient_norm.") + name(table);
    norms[name(table)] = norm ? line.number(path, *norm) : line.none(path, "frozen");
  }
  return {{"loss", batch.loss_positions > 0 ? line.number("batch.loss", batch.loss)
                                            : line.none("batch.loss", "no loss position in the minibatch")},
          {"loss_positions", batch.loss_positions},
          {"gradient_norm", norms}};
}

}  // namespace

std::array<NamedProbe, 7> probes(const Metrics& metrics) {
  return {{{"accuracy", &metrics.accuracy},
           {"wo2", &metrics.wo2},
           {"wk2", &metrics.wk2},
           {"wk1_64", &metrics.wk1_64},
           {"wk1", &metrics.wk1},
           {"wk1_64_unmasked", &metrics.wk1_64_unmasked},
           {"wk1_unmasked", &metrics.wk1_unmasked}}};
}

HeldOut::HeldOut(const TrainOptions& options, const BigramCounts& corpus, const SequenceSource& source)
    : triggers_(source.fixed_triggers()) {
  for (int i = 0; i < options.eval_sequences; ++i) {
    Sequence sequence = source.draw(Purpose::evaluation, static_cast<std::uint64_t>(i));
    heads_.push_back({sequence.example.tokens, sequence.heads});
    examples_.push_back(std::move(sequence.example));
  }
  same_ = options.task == TaskKind::minimal || options.bigram.loss == LossKind::head;
  if (options.task == TaskKind::bigram && options.model.feed_forward) law_ = bigram_law(corpus);
}

Metrics HeldOut::measure(const FiniteModel& model, const TrainingPass& pass) const {
  Metrics metrics;
  const Evaluation loss = pass.evaluate(model, examples_);
  metrics.loss = loss.mean_loss();
  metrics.loss_positions = loss.accuracy.rows;
  metrics.accuracy = same_ ? loss.accuracy : pass.evaluate(model, heads_).accuracy;
  metrics.wo2 = recall_wo2(model);
  metrics.wk2 = recall_wk2(model, triggers_);
  const PositionScores positions(model);
  metrics.wk1_64 = positions.recall(64, true);
  metrics.wk1 = positions.recall(model.T(), true);
  metrics.wk1_64_unmasked = positions.recall(64, false);
  metrics.wk1_unmasked = positions.recall(model.T(), false);
  if (law_.size() > 0) metrics.kl = bigram_kl(model, law_, triggers_);
  return metrics;
}

std::string metrics_line(const Metrics& metrics) {
  Line values;
  ordered_json line;
  line["step"] = metrics.step;
  line["loss"] = metrics.loss_positions > 0 ? values.number("loss", metrics.loss)
                                            : values.none("loss", "no loss position among the held-out sequences");
  line["loss_positions"] = metrics.loss_positions;
  for (const NamedProbe& named : probes(metrics)) line[named.name] = values.probe(named.name, *named.probe);
  if (metrics.kl) line["kl"] = values.probe("kl", *metrics.kl);
  const StreamCounts& stream = metrics.stream;
  line["stream"] = {
      {"sequences", stream.sequences},
      {"loss_positions", stream.loss_positions},
      {"cycle_fraction",
       stream.sequences > 0 ? static_cast<double>(stream.cycles) / static_cast<double>(stream.sequences) : 0.0},
      {"empty_batches", stream.empty_batches}};
  line["batch"] = metrics.batch ? batch_json(*metrics.batch, values) : values.none("batch", metrics.step == 0 ? "no update yet" : "not kept by a resume");
  if (!values.reasons().empty()) line["reasons"] = values.reasons();
  return line.dump();
}

}  // namespace popgrad
