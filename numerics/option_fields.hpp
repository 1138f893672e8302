// The configuration keys of a training run, each with the field that it sets: one list for writing and reading.
#pragma once
#include "numerics/train_options.hpp"

namespace popgrad {

// Calls fields.value(key, field) for numbers, booleans, lists and rates, fields.word(key, field, parse) for words,
// fields.init(table, spec) for initializations and fields.corpus() where there is a bigram law.
template <class Options, class Fields>
void visit_fields(Options& o, Fields& fields) {
  fields.value("run.seed", o.seed);
  fields.word("data.task", o.task, parse_task);
  if (o.task == TaskKind::minimal) {
    fields.value("data.vocab", o.minimal.N);
    fields.value("data.length", o.minimal.T);
    fields.word("data.background", o.minimal.background, parse_background);
    fields.word("data.query", o.minimal.query, parse_query);
    fields.value("data.output_weights", o.minimal.output_weights);
  } else {
    fields.corpus();
    fields.value("data.length", o.bigram.T);
    fields.value("data.triggers_count", o.bigram.K);
    fields.value("data.offset", o.bigram.offset);
    fields.word("data.triggers", o.bigram.triggers, parse_triggers);
    fields.word("data.outputs", o.bigram.outputs, parse_outputs);
    fields.value("data.distinct_outputs", o.bigram.distinct);
    fields.word("data.loss", o.bigram.loss, parse_loss);
  }
  fields.value("model.dim", o.model.d);
  fields.value("model.score_scale", o.model.score_scale);
  fields.value("model.feed_forward", o.model.feed_forward);
  for (const Table table : every_table) fields.init(table, o.model.at(table), o.model.d);
  fields.value("train.steps", o.steps);
  fields.value("train.batch", o.batch);
  fields.word("train.kernel", o.kernel, parse_kernel);
  fields.word("train.optimizer", o.optimizer, parse_optimizer);
  fields.value("train.rate", o.rate);
  fields.value("train.rates", o.rates);
  fields.value("train.momentum", o.momentum);
  fields.value("train.weight_decay", o.weight_decay);
  fields.value("train.beta1", o.beta1);
  fields.value("train.beta2", o.beta2);
  fields.value("train.epsilon", o.epsilon);
  fields.value("train.eval_every", o.eval_every);
  fields.value("train.eval_sequences", o.eval_sequences);
  fields.value("train.checkpoint_every", o.checkpoint_every);
  fields.value("train.snapshot_every", o.snapshot_every);
  fields.value("freeze.wk1", o.freeze.wk1);
  fields.value("freeze.wk2", o.freeze.wk2);
  fields.value("freeze.wo2", o.freeze.wo2);
  fields.value("freeze.wf", o.freeze.wf);
  fields.value("freeze.tok", o.freeze.tok);
  fields.value("freeze.pos", o.freeze.pos);
  fields.value("freeze.out", o.freeze.out);
  fields.value("learn.tok", o.learn.tok);
  fields.value("learn.pos", o.learn.pos);
  fields.value("learn.out", o.learn.out);
}

}  // namespace popgrad
