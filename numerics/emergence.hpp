// When the induction head emerges along population gradient descent: the time, rate x updates, at which a goal is first met, at several
// rates and extrapolated to rate 0.
#pragma once
#include <functional>
#include <vector>

#include "numerics/flow.hpp"

namespace popgrad {

struct EmergenceRequest {
  MinimalTask task;
  Blocks blocks = Blocks::full;
  std::string without = "nothing";  // flow_without
  double rate = 0;                  // the largest one; it is halved `rates` - 1 times. 0: N, since gradients of W_O are of order 1/N
  int rates = 3;                    // 2 .. 6
  double longest = 0;               // time after which a run gives up; 0: 500 N
  double accuracy = 0.9;            // what t90 waits for

  double first_rate() const { return rate > 0 ? rate : task.N; }
  double last_time() const { return longest > 0 ? longest : 500.0 * task.N; }
  // InputError naming the key for what FlowOptions refuses, a bad number of rates or goal, or more than an hour of work at worst.
  void validate() const;
  double worst_seconds() const;  // if no run meets its goals: a run goes on until it met both
};

struct EmergenceTime {
  bool reached = false;  // at every rate
  double value = 0, error = 0;
};

// One run.
struct Crossing {
  bool emerged = false, accurate = false;
  double emergence = 0;      // where the population loss falls below half of log N, by a cubic through the updates around it
  double interpolation = 0;  // how far the quadratic through three of them puts it elsewhere
  double t90 = 0;            // first update whose population accuracy is at the goal: accuracy jumps, so nothing is interpolated
  double loss = 0, accuracy = 0;  // where the run stopped
  std::int64_t updates = 0;
  InvariantMaps<double> maps;     // there
};
Crossing follow(const EmergenceRequest& request, double rate);

struct Emergence {
  EmergenceRequest request;
  std::vector<double> rate;    // decreasing
  std::vector<Crossing> runs;  // one a rate
  // Rate 0. Emergence: Euler's error is a series in the rate, each column of Neville's triangle removes one power; the error is the last
  // change and the interpolation, both estimates. t90: that of the smallest rate, the error is its change from the rate before plus one
  // update of either.
  EmergenceTime emergence, t90;
};

// All runs of all requests, in parallel, the same bits for any number of threads. `done` is called after each request, in order.
std::vector<Emergence> measure_emergence(const std::vector<EmergenceRequest>& requests,
                                         const std::function<void(const Emergence&)>& done = [](const Emergence&) {});

}  // namespace popgrad
