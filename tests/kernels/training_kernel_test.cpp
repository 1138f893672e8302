// The option train.kernel.
#include "core/default_counts.hpp"
#include "core/errors.hpp"
#include "numerics/trainer.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

TrainOptions small(KernelKind kernel) {
  TrainOptions options;
  options.model = published_options(65, options.bigram.T, 24);
  options.batch = 20;
  options.steps = 6;
  options.eval_sequences = 16;
  options.kernel = kernel;
  return options;
}

FiniteModel trained(const TrainOptions& options) {
  Trainer trainer(options, default_counts());
  while (!trainer.finished()) trainer.update();
  return trainer.model();
}

}  // namespace

TEST_CASE("a run in float follows the reference up to rounding, and is not the reference in disguise", "[training_kernel]") {
  const FiniteModel fast = trained(small(KernelKind::fast)), reference = trained(small(KernelKind::reference));
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2}) {
    const Matrix moved = reference.trained.at(map) - make_model(small(KernelKind::fast).model_options(default_counts()), 1).trained.at(map);
    const double off = (fast.trained.at(map) - reference.trained.at(map)).norm();
    INFO(name(map) << " moved by " << moved.norm() << ", off by " << off);
    CHECK(off > 0);
    CHECK(off <= 1e-4 * moved.norm());
  }
}

TEST_CASE("learned embeddings are trained by the reference, whatever the kernel", "[training_kernel]") {
  TrainOptions fast = small(KernelKind::fast), reference = small(KernelKind::reference);
  fast.learn.tok = reference.learn.tok = true;
  CHECK(fast.kernel_in_force() == KernelKind::reference);
  const FiniteModel a = trained(fast), b = trained(reference);
  CHECK(a.trained.wo2 == b.trained.wo2);
  CHECK(a.frozen.tok == b.frozen.tok);
}

TEST_CASE("a kernel's name reads back, and another is refused", "[training_kernel]") {
  CHECK(parse_kernel(name(KernelKind::fast)) == KernelKind::fast);
  CHECK(parse_kernel(name(KernelKind::reference)) == KernelKind::reference);
  CHECK_THROWS_AS(parse_kernel("quick"), InputError);
}
