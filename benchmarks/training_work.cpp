#include "benchmarks/training_work.hpp"

#include "numerics/sgd.hpp"

namespace popgrad {

TrainOptions published_training(int T, int d, int batch) {
  TrainOptions options;
  options.bigram.T = T;
  options.model = published_options(default_counts().N(), T, d);
  options.batch = batch;
  options.steps = 1'000'000;   // never finished
  options.eval_sequences = 1;  // never evaluated
  return options;
}

const std::vector<Map>& trained_maps() {
  static const std::vector<Map> maps = {Map::wk1, Map::wk2, Map::wo2};
  return maps;
}

TrainingWork::TrainingWork(const TrainOptions& options)
    : trainer_(options, default_counts()),
      source_(options, default_counts()),
      fast_(trainer_.model()),
      copy_(trainer_.model().trained),
      velocity_(TrainedMaps::zero(trainer_.model().d())) {}

void TrainingWork::apply(const TrainedMaps& gradient) {
  const TrainOptions& options = trainer_.options();
  for (const Map map : trained_maps())
    sgd_step({options.momentum, options.weight_decay}, options.rate, gradient.at(map), velocity_.at(map), copy_.at(map));
  fast_.set(copy_);
  weights_of_ = -1;
}

FastBatch& TrainingWork::pass() {
  if (weights_of_ != trainer_.step()) fast_.set(model().trained);
  weights_of_ = trainer_.step();
  return fast_;
}

BatchGradient TrainingWork::gradient() {
  return pass().gradient(source_, source_.training(), first(), trainer_.options().batch, trained_maps());
}

double TrainingWork::loss() {
  return pass().gradient(source_, source_.training(), first(), trainer_.options().batch, {}).loss_sum;
}

std::int64_t TrainingWork::draw() const {
  std::int64_t positions = 0;
#pragma omp parallel reduction(+ : positions)
  {
    Sequence sequence;
#pragma omp for schedule(dynamic, 4)
    for (std::int64_t i = 0; i < trainer_.options().batch; ++i) {
      source_.draw(source_.training(), first() + static_cast<std::uint64_t>(i), sequence);
      positions += static_cast<std::int64_t>(sequence.example.targets.size());
    }
  }
  return positions;
}

// With h = T(T+1)/2 pairs s <= t, n loss positions and m = sum over them of the keys that each sees, the products are
//   forward   layer 1: a1 r: h d; layer 2: q W_K2: n d^2, scores and mixture: 2 m d; W_U x1 and (W_U W_O2 W_V2) v: 2 n N d;
//   backward  g = p - e into x2, into v and g v^T for W_O2: 3 n N d; layer 2: into scores, sum of keys, into values and
//   keys: 4 m d,
//             gradient of W_K2 and query: 2 n d^2; layer 1: into scores: h d;
// multiply-adds each. Layer-1 scores are sums of table entries, and the gradient of W_K1 sums score derivatives into such
// tables (docs/theory.md, section 8). What is done once a batch (tables, merged maps), sums without products, exponentials
// and sampling are not counted.
Operations operations(const TrainOptions& options) {
  const SequenceSource source(options, default_counts());
  const double T = options.bigram.T, d = options.model.d, N = default_counts().N(), h = T * (T + 1) / 2;
  double n = 0, m = 0;
  constexpr int sample = 256;
  for (int i = 0; i < sample; ++i)
    for (const Target& target : source.draw(source.training(), static_cast<std::uint64_t>(i)).example.targets) {
      n += 1.0 / sample;
      m += (target.position + 1.0) / sample;
    }
  Operations result;
  result.loss_positions = n;
  result.forward = 2 * (h * d + n * d * d + 2 * m * d + 2 * n * N * d);
  result.backward = 2 * (h * d + 2 * n * d * d + 4 * m * d + 3 * n * N * d);
  // Every position, nothing causal, three maps a layer; backward taken as twice forward.
  result.dense = 2 * 3 * (6 * T * d * d + 4 * T * T * d + T * N * d);
  return result;
}

}  // namespace popgrad
