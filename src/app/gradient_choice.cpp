#include <fmt/core.h>

#include <algorithm>

#include "app/gradient_engines.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string names() {
  std::string text;
  for (const GradientEngine& engine : gradient_engines()) text += (text.empty() ? "" : ", ") + engine.name;
  return text;
}

const GradientEngine& engine_named(const std::string& name) {
  std::vector<std::string> known;
  for (const GradientEngine& engine : gradient_engines()) {
    if (engine.name == name) return engine;
    known.push_back(engine.name);
  }
  throw InputError("--engine", "'" + name + "'", "one of " + names() + did_you_mean(name, known));
}

bool computes(const GradientEngine& engine, const GradientRequest& request) {
  return engine.limits(request).empty() && affordable(engine.cost(request));
}

// The largest smaller T at which the engine would do; 0 if none.
int longest_length(const GradientEngine& engine, GradientRequest request) {
  request.task.T = std::min(request.task.T, 400);  // no engine that is too slow at T does longer ones
  while (request.task.T >= 4 && !affordable(engine.cost(request))) --request.task.T;
  return request.task.T >= 4 ? request.task.T : 0;
}

[[noreturn]] void refuse(const char* argument, const GradientEngine& engine, const GradientRequest& request) {
  const Cost cost = engine.cost(request);
  std::string instead;
  for (const GradientEngine& other : gradient_engines())
    if (computes(other, request)) {
      instead = "--engine " + other.name + " (about " + readable_time(other.cost(request).seconds) + ")";
      break;
    }
  const int T = longest_length(engine, request);
  const std::string smaller = T > 0       ? fmt::format("-T {} at most", T)
                              : request.d ? "a smaller -N, -d or --draws"
                                          : "a smaller -N";
  throw InputError(argument,
                   fmt::format("'{}' for {} (too large: {}, about {})", engine.name,
                               describe_task(request) + (request.d ? fmt::format(" d={}", *request.d) : ""), cost.work,
                               readable_time(cost.seconds)),
                   instead.empty() ? smaller : instead + ", or " + smaller);
}

}  // namespace

const GradientEngine& choose_engine(const GradientRequest& request) {
  if (!request.engine.empty()) {
    const GradientEngine& engine = engine_named(request.engine);
    if (const std::string limits = engine.limits(request); !limits.empty())
      throw InputError("--engine", "'" + engine.name + "' for " + describe(request), limits);
    if (!affordable(engine.cost(request))) refuse("--engine", engine, request);
    return engine;
  }
  const GradientEngine* preferred = nullptr;
  for (const GradientEngine& engine : gradient_engines()) {
    if (!engine.limits(request).empty()) continue;
    if (preferred == nullptr) preferred = &engine;
    if (affordable(engine.cost(request))) return engine;
  }
  if (preferred == nullptr)
    throw InputError("--engine", "nothing for " + describe(request), "a gradient that some engine computes");
  refuse("-N, -T", *preferred, request);
}

}  // namespace popgrad
