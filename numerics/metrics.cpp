#include "numerics/metrics.hpp"

#include <nlohmann/json.hpp>

namespace popgrad {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Probe& probe) {
  if (probe.empty()) return nullptr;  // nothing was probed: no number may look like a measurement
  return {{"value", probe.value},
          {"chance", probe.chance},
          {"margin", probe.margin},
          {"ties", probe.ties},
          {"rows", probe.rows}};
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

Metrics HeldOut::measure(const FiniteModel& model) const {
  Metrics metrics;
  const Evaluation loss = evaluate(model, examples_);
  metrics.loss = loss.mean_loss();
  metrics.loss_positions = loss.accuracy.rows;
  metrics.accuracy = same_ ? loss.accuracy : evaluate(model, heads_).accuracy;
  metrics.wo2 = recall_wo2(model);
  metrics.wk2 = recall_wk2(model, triggers_);
  metrics.wk1_64 = recall_wk1(model, 64, true);
  metrics.wk1 = recall_wk1(model, model.T(), true);
  metrics.wk1_64_unmasked = recall_wk1(model, 64, false);
  metrics.wk1_unmasked = recall_wk1(model, model.T(), false);
  if (law_.size() > 0) metrics.kl = bigram_kl(model, law_, triggers_);
  return metrics;
}

std::string metrics_line(const Metrics& metrics) {
  ordered_json line;
  line["step"] = metrics.step;
  line["loss"] = metrics.loss_positions > 0 ? ordered_json(metrics.loss) : ordered_json(nullptr);
  line["loss_positions"] = metrics.loss_positions;
  for (const NamedProbe& named : probes(metrics)) line[named.name] = to_json(*named.probe);
  if (metrics.kl) line["kl"] = to_json(*metrics.kl);
  const StreamCounts& stream = metrics.stream;
  line["stream"] = {
      {"sequences", stream.sequences},
      {"loss_positions", stream.loss_positions},
      {"cycle_fraction",
       stream.sequences > 0 ? static_cast<double>(stream.cycles) / static_cast<double>(stream.sequences) : 0.0},
      {"empty_batches", stream.empty_batches}};
  if (metrics.batch) {
    const LastBatch& batch = *metrics.batch;
    line["batch"] = {{"loss", batch.loss_positions > 0 ? ordered_json(batch.loss) : ordered_json(nullptr)},
                     {"loss_positions", batch.loss_positions},
                     {"gradient_norm",
                      {{"wk1", batch.norm_wk1}, {"wk2", batch.norm_wk2}, {"wo2", batch.norm_wo2}, {"wf", batch.norm_wf}}}};
  } else {
    line["batch"] = nullptr;
  }
  return line.dump();
}

}  // namespace popgrad
