// The engines behind popgrad gradient: which can do what, at what cost.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/gradient_cost.hpp"
#include "app/gradient_request.hpp"
#include "app/gradient_result.hpp"

namespace popgrad {

using GradientProgress = std::function<void(std::int64_t done, std::int64_t total, const std::string& unit)>;

struct GradientEngine {
  std::string name;
  std::string summary;  // for --help
  // Empty if the engine computes such gradients at all, of whatever size; else what it computes: "--order leading".
  std::function<std::string(const GradientRequest&)> limits;
  std::function<Cost(const GradientRequest&)> cost;
  std::function<GradientResult(const GradientRequest&, const GradientProgress&)> run;
};

// In order of preference: without --engine the first that computes the gradient at an affordable cost does it. A new engine
// is one entry.
const std::vector<GradientEngine>& gradient_engines();

// The engine that the request names, or the preferred one. InputError if there is none of that name, if it does not compute
// such gradients, or if the instance is too large for it: then with the size, the cost and the engine that would do.
const GradientEngine& choose_engine(const GradientRequest& request);

}  // namespace popgrad
