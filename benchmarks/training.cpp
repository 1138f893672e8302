// Microbenchmarks of training: sampler, forward pass, gradient, full step, over T, d, batch and threads.
// usage: bench_training FOLDER LIMIT1 LIMIT2... [options of Google Benchmark]
// LIMIT_n: floating-point operations a second that n threads reach in a large float product (benchmarks/matrix_product.cpp).
// Writes FOLDER/training.json and the figure FOLDER/training_time.*; prints the share of the limit and the fitted exponents.
#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/training_summary.hpp"
#include "benchmarks/training_work.hpp"
#include "core/errors.hpp"

using namespace popgrad;

namespace {

// One TrainingWork at a time: the tables of a large one would crowd the cache of the next.
struct Current {
  int T = 0, d = 0, batch = 0;
  std::unique_ptr<TrainingWork> work;
};

TrainingWork& work_for(int T, int d, int batch) {
  static Current current;
  if (!current.work || current.T != T || current.d != d || current.batch != batch)
    current = {T, d, batch, std::make_unique<TrainingWork>(published_training(T, d, batch))};
  return *current.work;
}

void run(benchmark::State& state, Kind kind) {
  const auto argument = [&](std::size_t i) { return static_cast<int>(state.range(i)); };
  const int T = argument(0), d = argument(1), batch = argument(2);
  omp_set_num_threads(argument(3));
  TrainingWork& work = work_for(T, d, batch);
  work.update();
  const TrainedMaps nothing = TrainedMaps::zero(d);
  for (auto _ : state) {
    if (kind == Kind::sampler) benchmark::DoNotOptimize(work.draw());
    if (kind == Kind::forward) benchmark::DoNotOptimize(work.loss());
    if (kind == Kind::gradient) benchmark::DoNotOptimize(work.gradient().loss_sum);
    if (kind == Kind::update) work.apply(nothing);
    if (kind == Kind::step) work.update();
  }
  const double sequences = static_cast<double>(state.iterations()) * batch;
  state.counters["sequences/s"] = benchmark::Counter(sequences, benchmark::Counter::kIsRate);
  if (kind == Kind::sampler) state.counters["tokens/s"] = benchmark::Counter(sequences * T, benchmark::Counter::kIsRate);
}

// The kinds of one size one after the other: they are subtracted from each other, and the machine may change its mind in a
// minute.
void add(const std::vector<Point>& points) {
  for (const Point& p : points)
    for (const Kind kind : kinds)
      benchmark::RegisterBenchmark(name(kind), [kind](benchmark::State& state) { run(state, kind); })
          ->ArgNames({"T", "d", "batch", "threads"})
          ->Args({p.T, p.d, p.batch, p.threads})
          ->UseRealTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMillisecond);
}

// Prints as Google Benchmark does and keeps the single repetitions.
class Keeper : public benchmark::ConsoleReporter {
 public:
  explicit Keeper(std::vector<Measurement>& kept) : ConsoleReporter(OO_Tabular), kept_(kept) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration)
        kept_.push_back(parse_measurement(run.benchmark_name(),
                                          run.real_accumulated_time / static_cast<double>(run.iterations),
                                          run.cpu_accumulated_time / static_cast<double>(run.iterations)));
    ConsoleReporter::ReportRuns(runs);
  }

 private:
  std::vector<Measurement>& kept_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<double> limits;
  int used = 2;
  for (; used < argc && argv[used][0] != '-'; ++used) limits.push_back(std::atof(argv[used]));
  if (argc < 3 || limits.empty()) {
    std::fprintf(stderr, "usage: bench_training FOLDER LIMIT1 LIMIT2... [options of Google Benchmark]\n");
    return 2;
  }
  const std::string folder = argv[1];
  std::vector<std::string> options = {argv[0], "--benchmark_out=" + folder + "/training.json", "--benchmark_out_format=json",
                                      "--benchmark_repetitions=5"};
  options.insert(options.end(), argv + used, argv + argc);
  std::vector<char*> arguments;
  for (std::string& option : options) arguments.push_back(option.data());
  int count = static_cast<int>(arguments.size());
  const int threads = static_cast<int>(limits.size());
  add(points(threads));
  for (std::size_t i = 0; i < limits.size(); ++i)
    benchmark::AddCustomContext("limit_flops_" + std::to_string(i + 1) + "_threads", std::to_string(limits[i]));
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  std::vector<Measurement> kept;
  Keeper keeper(kept);
  benchmark::RunSpecifiedBenchmarks(&keeper);
  try {
    summarize(kept, limits, folder);
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_training: %s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
