#include "tests/numerics/agreement.hpp"

#include <fmt/format.h>

namespace popgrad::agreement {
namespace {

BigramCounts binary_corpus() { return count_bigrams("corpus", "abbabaabbaababbabaababba", "test"); }

TrainOptions bigram(int T, int d, LossKind loss, bool feed_forward, Init embeddings, double embedding_scale, double kappa) {
  TrainOptions options;
  options.bigram.T = T;
  options.bigram.loss = loss;
  options.model = published_options(65, T, d);
  options.model.score_scale = kappa;
  options.model.feed_forward = feed_forward;
  options.model.tok = options.model.pos = options.model.out = {embeddings, embedding_scale};
  return options;
}

TrainOptions minimal(int N, int T, int d, Query query) {
  TrainOptions options = bigram(T, d, LossKind::head, false, Init::gaussian, 1, 1 / std::sqrt(static_cast<double>(d)));
  options.task = TaskKind::minimal;
  options.minimal = {N, T, Background::any, query, {}};
  return options;
}

Batch batch(const std::string& name, TrainOptions options, std::uint64_t seed, const BigramCounts& corpus,
            std::int64_t count) {
  options.seed = seed;
  return {name, make_model(options.model_options(corpus), seed), SequenceSource(options, corpus), 5, count};
}

// W_O2 += a sum_k w_U(k) (W_V2 w_E(k))^T, W_K2 += b sum_k w_E(k) w_1(k)^T, W_K1 += c sum_t p_t p_{t-1}^T.
void plant(FiniteModel& model, double a, double b, double c) {
  const FrozenMaps& f = model.frozen;
  model.trained.wo2 += a * f.out.transpose() * f.tok * f.wv2.transpose();
  model.trained.wk2 += b * f.tok.transpose() * model.remapped_tokens();
  for (int t = 1; t < model.T(); ++t) model.trained.wk1 += c * f.pos.row(t).transpose() * f.pos.row(t - 1);
}

}  // namespace

std::vector<Batch> batches(std::uint64_t seed) {
  const BigramCounts& shakespeare = default_counts();
  const BigramCounts two = binary_corpus();
  const auto root = [](int n) { return 1 / std::sqrt(static_cast<double>(n)); };
  std::vector<Batch> list;

  TrainOptions published = bigram(33, 24, LossKind::head, false, Init::gaussian, 1, root(24));
  published.model.out = {Init::uniform, root(24)};
  list.push_back(batch("published settings, N=65 T=33 d=24, batch 17", published, seed, shakespeare, 17));

  list.push_back(batch("full loss, feed-forward, N(0,1/d), N=65 T=50 d=40, batch 3",
                       bigram(50, 40, LossKind::full, true, Init::gaussian, root(40), root(40)), seed, shakespeare, 3));

  TrainOptions random = bigram(50, 40, LossKind::head, true, Init::gaussian, root(40), 1);
  random.bigram.triggers = Triggers::random;
  random.bigram.outputs = Outputs::bigram;
  list.push_back(batch("random triggers, feed-forward, kappa 1, N=65 T=50 d=40, batch 3", random, seed, shakespeare, 3));

  TrainOptions small = bigram(7, 5, LossKind::full, true, Init::gaussian, 1, 1);
  small.bigram.K = 1;
  list.push_back(batch("full loss, feed-forward, kappa 1, N=2 T=7 d=5, batch 17", small, seed, two, 17));

  list.push_back(batch("full loss, feed-forward, N=65 T=7 d=5, batch 17",
                       bigram(7, 5, LossKind::full, true, Init::gaussian, root(5), root(5)), seed, shakespeare, 17));

  list.push_back(batch("full loss, feed-forward, N=65 T=50 d=5, batch 3",
                       bigram(50, 5, LossKind::full, true, Init::gaussian, root(5), root(5)), seed, shakespeare, 3));

  TrainOptions orthonormal = bigram(33, 40, LossKind::full, false, Init::orthonormal, 1, 1);
  orthonormal.bigram.K = 1;
  orthonormal.model.wv1 = orthonormal.model.wo1 = orthonormal.model.wv2 = {Init::orthonormal, 1.0};
  list.push_back(batch("orthonormal, kappa 1, N=2 T=33 d=40, batch 3", orthonormal, seed, two, 3));

  TrainOptions zero = bigram(33, 24, LossKind::head, true, Init::gaussian, 1, root(24));
  zero.model.wk1 = zero.model.wk2 = zero.model.wo2 = zero.model.wf = {Init::zero, {}};
  list.push_back(batch("trained maps zero, N=65 T=33 d=24, batch 3", zero, seed, shakespeare, 3));

  TrainOptions sharp = bigram(33, 40, LossKind::head, false, Init::gaussian, root(40), 1);
  list.push_back(batch("memories planted, attention sharp, N=65 T=33 d=40, batch 3", sharp, seed, shakespeare, 3));
  plant(list.back().model, 3, 12, 6);

  list.push_back(batch("kappa 1 with N(0,1) embeddings, N=65 T=33 d=24, batch 3",
                       bigram(33, 24, LossKind::head, false, Init::gaussian, 1, 1), seed, shakespeare, 3));

  list.push_back(batch("minimal task, query any, N=8 T=12 d=24, batch 17", minimal(8, 12, 24, Query::any), seed, two, 17));
  list.push_back(batch("minimal task, N=2 T=4 d=5, batch 1", minimal(2, 4, 5, Query::last), seed, two, 1));

  TrainOptions seldom = bigram(7, 24, LossKind::head, false, Init::gaussian, 1, root(24));
  seldom.bigram.K = 1;
  list.push_back(batch("most sequences without a loss position, N=65 T=7 d=24, batch 17", seldom, seed, shakespeare, 17));

  TrainOptions least = bigram(2, 1, LossKind::full, true, Init::gaussian, 1, 1);
  least.bigram.K = 1;
  list.push_back(batch("smallest sizes, N=2 T=2 d=1, batch 1", least, seed, two, 1));
  list.push_back(batch("multiples of 16, N=65 T=48 d=32, batch 2",
                       bigram(48, 32, LossKind::full, true, Init::gaussian, root(32), root(32)), seed, shakespeare, 2));
  return list;
}

std::vector<Example> Batch::examples() const {
  std::vector<Example> result;
  for (std::int64_t i = 0; i < count; ++i)
    result.push_back(source.draw(Purpose::test, first + static_cast<std::uint64_t>(i)).example);
  return result;
}

BatchGradient plain_float(const Batch& batch, oracle::Fault fault) {
  const oracle::FiniteParameters<float> p = oracle::rounded(against_oracle::for_oracle(batch.model));
  oracle::PlainTotals<float> total;
  BatchGradient result;
  for (const Example& example : batch.examples()) {
    oracle::add_plain(p, example.tokens, against_oracle::pairs(example.targets), fault, total);
    ++result.sequences;
    result.loss_positions += static_cast<std::int64_t>(example.targets.size());
  }
  result.loss_sum = static_cast<double>(total.loss);
  result.sum = TrainedMaps::zero(batch.model.d());
  for (const Map map : all_maps)
    for (int i = 0; i < batch.model.d(); ++i)
      for (int j = 0; j < batch.model.d(); ++j)
        result.sum.at(map)(i, j) = static_cast<double>(
            total.gradient[static_cast<std::size_t>(map)][static_cast<std::size_t>(i * batch.model.d() + j)]);
  return result;
}

std::string describe(const Agreement& agreement) {
  return fmt::format("{} of {} entries outside; worst {:.1e} of the bound, {}; bound {:.1e} of a typical entry",
                     agreement.outside, agreement.entries, agreement.worst, agreement.where, agreement.width);
}

Judge::Judge(const Batch& batch, double u) : pass_(against_oracle::for_oracle(batch.model), u) {
  for (const Example& example : batch.examples()) pass_.add(example.tokens, against_oracle::pairs(example.targets));
}

Agreement Judge::compare(const BatchGradient& found, const std::vector<Map>& maps) const {
  Agreement result;
  std::vector<double> widths;
  const auto check = [&](const std::string& where, double value, double expected, double bound) {
    const double difference = std::abs(value - expected);
    ++result.entries;
    if (!(difference <= bound)) ++result.outside;
    const double ratio = difference == 0 ? 0 : difference / bound;
    if (!(ratio <= result.worst)) {
      result.worst = ratio;
      result.where = where;
    }
  };
  const oracle::BoundedTotals& expected = pass_.totals();
  for (const Map map : all_maps) {
    const auto index = static_cast<int>(map);
    const oracle::Grid& value = expected.gradient[static_cast<std::size_t>(index)].value;
    const oracle::Grid error = pass_.gradient_error(index);
    const bool asked = std::ranges::find(maps, map) != maps.end();
    double square = 0;
    for (const double x : value.entries) square += x * x;
    const double typical = std::sqrt(square / static_cast<double>(value.entries.size()));
    for (int i = 0; i < value.rows; ++i)
      for (int j = 0; j < value.columns; ++j) {
        const std::string where = std::string(name(map)) + "(" + std::to_string(i) + "," + std::to_string(j) + ")";
        check(where, found.sum.at(map)(i, j), asked ? value(i, j) : 0, asked ? error(i, j) : 0);
        if (asked && typical > 0) widths.push_back(error(i, j) / typical);
      }
  }
  check("loss", found.loss_sum, expected.loss, pass_.loss_error());
  check("sequences", static_cast<double>(found.sequences), static_cast<double>(expected.sequences), 0);
  check("loss positions", static_cast<double>(found.loss_positions), static_cast<double>(expected.loss_positions), 0);
  std::ranges::sort(widths);
  result.width = widths.empty() ? 0 : widths[widths.size() / 2];
  return result;
}

}  // namespace popgrad::agreement
