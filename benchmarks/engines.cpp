// What the engines of population gradients cost, beside what they are estimated to cost, and the figures that are stated for
// them. Built by the target bench_engines.
// usage: bench_engines [ROUNDS]; the least of ROUNDS runs counts (default 2). Processor time is that of all threads; on a
// machine that others use it says more than wall time.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "app/gradient_engines.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"

using namespace popgrad;

namespace {

double processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Time {
  double wall = 1e300, processor = 1e300;
};

Time time_of(const std::function<void()>& work, int rounds) {
  Time least;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const double before = processor_time();
    work();
    least.processor = std::min(least.processor, processor_time() - before);
    least.wall = std::min(least.wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

GradientRequest request(const std::string& engine, int stage, Handoff handoff, Order order, const MinimalTask& task) {
  GradientRequest request;
  request.engine = engine;
  request.stage = stage;
  request.param = stage_param(stage);
  request.handoff = handoff;
  request.order = order;
  request.task = task;
  if (order == Order::full)
    request.sizes = handoff == Handoff::ideal ? StageSizes{1, 1, 0} : StageSizes{task.N * 4.0, task.N * 4.0, 0};
  return request;
}

const GradientEngine& engine_of(const std::string& name) {
  for (const GradientEngine& engine : gradient_engines())
    if (engine.name == name) return engine;
  std::abort();
}

void compare_with_estimate(const GradientRequest& request, int rounds) {
  const GradientEngine& engine = engine_of(request.engine);
  const double estimate = engine.cost(request).seconds;
  const Time time = time_of([&] { engine.run(request, [](std::int64_t, std::int64_t, const std::string&) {}); }, rounds);
  std::printf("%-10s %-90s estimate %8.3g s, wall %8.3g s, processor/2 %8.3g s, ratio %5.2f\n", engine.name.c_str(),
              describe(request).c_str(), estimate, time.wall, time.processor / 2, estimate / (time.processor / 2));
  std::fflush(stdout);
}

// Three sizes of every engine at every stage, of a tenth of a second or so.
void estimates(int rounds) {
  struct Start {
    int stage;
    Handoff handoff;
    Blocks blocks;
  };
  for (const auto& [stage, handoff, blocks] : {Start{1, Handoff::ideal, Blocks::full},
                                               {2, Handoff::ideal, Blocks::full},
                                               {2, Handoff::actual, Blocks::isolated},
                                               {2, Handoff::actual, Blocks::full},
                                               {3, Handoff::ideal, Blocks::full},
                                               {3, Handoff::actual, Blocks::isolated},
                                               {3, Handoff::actual, Blocks::full}}) {
    const auto at = [&, stage = stage, handoff = handoff, blocks = blocks](const std::string& engine, Order order, int N,
                                                                           int T, Background background = Background::avoid,
                                                                           Query query = Query::last) {
      GradientRequest made = request(engine, stage, handoff, order, {N, T, background, query, {}});
      made.blocks = blocks;
      return made;
    };
    const bool third_full = stage == 3 && handoff == Handoff::actual && blocks == Blocks::full;
    for (const int T : {64, 128, 256})
      for (const Query query : {Query::last, Query::any})
        if (!third_full) compare_with_estimate(at("moments", Order::leading, 65, T, Background::avoid, query), rounds);
    for (const int T : {7, 8, third_full ? 6 : 9}) compare_with_estimate(at("exact", Order::leading, 65, T), rounds);
    compare_with_estimate(at("exact", Order::leading, 65, 8, Background::any), rounds);
    for (const int T : {9, 10, 11}) compare_with_estimate(at("orbits", Order::full, 65, T), rounds);
    compare_with_estimate(at("orbits", Order::full, 65, 10, Background::any), rounds);
    for (const int T : {8, 9, 10}) compare_with_estimate(at("certified", Order::full, 65, T), rounds);
    compare_with_estimate(at("certified", Order::full, 65, 10, Background::any), rounds);
    for (const auto& [N, T] : {std::pair{3, 5}, {4, 5}, {3, 6}})
      compare_with_estimate(at("enumerate", Order::leading, N, T), rounds);
    for (const auto& [N, T] : {std::pair{5, 6}, {5, 7}, {7, 6}})
      compare_with_estimate(at("enumerate", Order::full, N, T), rounds);
    for (const int d : {32, 64, 128}) {
      GradientRequest finite = at("enumerate", Order::full, 5, 6);
      finite.d = d;
      finite.draws = 4;
      compare_with_estimate(finite, rounds);
    }
    for (const int T : {10, 20, 40})
      if (stage < 3 || handoff == Handoff::ideal || T <= 12)
        compare_with_estimate(at("montecarlo", Order::full, 65, T), rounds);
  }
}

void stated(int rounds) {
  double worst = 0;
  for (const int N : {2, 65, 1000})
    for (const Background background : {Background::any, Background::avoid})
      for (const Query query : {Query::last, Query::any})
        for (int stage = 1; stage <= stages; ++stage)
          for (const auto& [handoff, blocks] : {std::pair{Handoff::ideal, Blocks::full},
                                                {Handoff::actual, Blocks::isolated},
                                                {Handoff::actual, Blocks::full}}) {
            if (stage == 3 && handoff == Handoff::actual && blocks == Blocks::full) continue;
            const MinimalTask task{N, 256, background, query, {}};
            const Time time =
                time_of([&, handoff = handoff, blocks = blocks] { moment_terms(task, handoff, blocks, stage); }, rounds);
            worst = std::max(worst, time.processor);
            std::printf("moments    %s, %s %s, stage %d: wall %.3f s, processor %.3f s\n", task.describe().c_str(),
                        name(handoff), name(blocks), stage, time.wall, time.processor);
          }
  std::printf("moments    T=256: %.3f s of processor time at most; stated 1 s\n", worst);
  const auto orbits = [&](int N, int T) {
    const MinimalTask task{N, T, Background::avoid, Query::last, {}};
    InvariantMaps<double> maps(N, T);
    maps.add(1, invariant_memories<double>(N, T));
    return time_of([&] { orbit_descent(task, maps); }, rounds);
  };
  const Time ten = orbits(65, 10), many = orbits(1000, 10), twelve = orbits(65, 12);
  std::printf("orbits     (65,10), all three gradients: wall %.3f s, processor/2 %.3f s; stated 2 s\n", ten.wall,
              ten.processor / 2);
  std::printf("orbits     (1000,10): processor time %.3f of (65,10); stated within 20 %%\n", many.processor / ten.processor);
  std::printf("orbits     (65,12), all three gradients: wall %.3f s, processor/2 %.3f s; stated 60 s\n", twelve.wall,
              twelve.processor / 2);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2;
  if (argc > 2 || rounds < 1) return 2;
  stated(rounds);
  estimates(rounds);
  return 0;
}
