// Our side of `scripts/bench peer`: a model, a batch and what we say of them as files, and training steps on demand.
// usage: bench_peer export FOLDER BATCH BOUNDED STEPS
//          model.safetensors      tables and maps after STEPS updates at the published settings; metadata kappa
//          batch.safetensors      tokens, targets: BATCH x T; a target of -1 is no loss position
//          gradients.safetensors  reference_*, fast_*: gradients of the mean loss of the batch; metadata: the losses.
//                                 first_*, bound_*: of the first BOUNDED sequences alone, gradients of the SUM of losses,
//                                 and how far another evaluation in double may be from them (tests/oracle/bounded_pass.hpp)
//        bench_peer step BATCH
//          for every line "THREADS STEPS" on standard input: that many updates; prints their seconds, the seconds that
//          drawing the same sequences alone takes, and the peak resident size in KiB
#include <omp.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "benchmarks/training_work.hpp"
#include "core/errors.hpp"
#include "numerics/safetensors.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/bounded_pass.hpp"

using namespace popgrad;

namespace {

const std::vector<Map> maps = trained_maps();

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

void add(TensorFile& file, const std::string& prefix, const TrainedMaps& values) {
  for (const Map map : maps) file.tensors[prefix + name(map)] = values.at(map);
}

Matrix matrix(const oracle::Grid& grid) { return Eigen::Map<const Matrix>(grid.entries.data(), grid.rows, grid.columns); }

void export_to(const std::filesystem::path& folder, int batch, int bounded, int steps) {
  TrainingWork run(published_training(256, 128, batch));
  for (int s = 0; s < steps; ++s) run.update();
  const FiniteModel& model = run.model();
  std::filesystem::create_directories(folder);
  TensorFile tables;
  const FrozenMaps& f = model.frozen;
  tables.tensors = {{"tok", f.tok}, {"pos", f.pos}, {"out", f.out}, {"wv1", f.wv1}, {"wo1", f.wo1}, {"wv2", f.wv2}};
  add(tables, "", model.trained);
  tables.metadata = {{"kappa", text(model.score_scale)}};
  write_safetensors(folder / "model.safetensors", tables);

  TensorFile data;
  Matrix tokens(batch, model.T()), targets = Matrix::Constant(batch, model.T(), -1);
  oracle::BoundedPass pass(against_oracle::for_oracle(model), 0x1.0p-52);  // two evaluations, 2^-53 each
  for (int b = 0; b < batch; ++b) {
    const Example example = run.source().draw(run.source().training(), run.first() + static_cast<std::uint64_t>(b)).example;
    for (int t = 0; t < model.T(); ++t) tokens(b, t) = example.tokens[static_cast<std::size_t>(t)];
    for (const Target& target : example.targets) targets(b, target.position) = target.token;
    if (b < bounded) pass.add(example.tokens, against_oracle::pairs(example.targets));
  }
  data.tensors = {{"tokens", tokens}, {"targets", targets}};
  write_safetensors(folder / "batch.safetensors", data);

  TensorFile gradients;
  const auto reference = [&](int count) {
    return batch_gradient(model, run.source(), run.source().training(), run.first(), count);
  };
  const BatchGradient whole = reference(batch), first = reference(bounded);
  const BatchGradient fast = run.gradient();
  add(gradients, "reference_", whole.mean());
  add(gradients, "fast_", fast.mean());
  add(gradients, "first_", first.sum);
  for (const Map map : maps)
    gradients.tensors[std::string("bound_") + name(map)] = matrix(pass.gradient_error(static_cast<int>(map)));
  gradients.metadata = {{"reference_loss", text(whole.mean_loss())},
                        {"fast_loss", text(fast.mean_loss())},
                        {"bounded", std::to_string(bounded)},
                        {"first_loss", text(first.loss_sum)},
                        {"bound_loss", text(pass.loss_error())}};
  write_safetensors(folder / "gradients.safetensors", gradients);
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// getrusage() would count what the parent held when it started this process.
long peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  throw EnvironmentError("/proc/self/status has no VmHWM");
}

template <class Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void serve(int batch) {
  TrainingWork run(published_training(256, 128, batch));
  int threads = 0, steps = 0;
  while (std::scanf("%d %d", &threads, &steps) == 2 && threads >= 1 && steps >= 1) {
    omp_set_num_threads(threads);
    const double before = processor_seconds();
    const double updates = seconds([&] {
      for (int s = 0; s < steps; ++s) run.update();
    });
    const double processor = processor_seconds() - before;
    std::int64_t positions = 0;
    const double drawing = seconds([&] {
      for (int s = 0; s < steps; ++s) positions += run.draw();
    });
    std::printf("%.6f %.6f %.6f %ld %.2f\n", updates, processor, drawing, peak_kib(),
                static_cast<double>(positions) / static_cast<double>(steps) / batch);
    std::fflush(stdout);
  }
}

int usage() {
  std::fprintf(stderr, "usage: bench_peer export FOLDER BATCH BOUNDED STEPS | step BATCH\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  try {
    if (verb == "export" && argc == 6 && number(4) >= 1 && number(3) >= number(4) && number(5) >= 0)
      export_to(argv[2], number(3), number(4), number(5));
    else if (verb == "step" && argc == 3 && number(2) >= 1)
      serve(number(2));
    else
      return usage();
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_peer: %s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
