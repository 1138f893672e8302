#include "app/gradient_request.hpp"

#include <fmt/core.h>

#include <limits>
#include <utility>
#include <vector>

#include "app/config_parse.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

// The value of --param or --stage follows from the other.
void read_stage(const GradientWords& words, GradientRequest& request) {
  if (words.param.empty() && words.stage.empty())
    throw InputError("--param", "nothing", "wo2, wk2 or wk1 (or --stage 1, 2 or 3)");
  if (!words.param.empty()) request.param = parse_word(typed("--param", words.param), {"wo2", "wk2", "wk1"});
  request.stage = words.stage.empty() ? stage_of_param(request.param)
                                      : static_cast<int>(parse_integer(typed("--stage", words.stage), 1, stages));
  if (request.param.empty()) request.param = stage_param(request.stage);
}

struct Size {
  const char* option;
  const std::string& value;
  Handoff handoff;
  int from_stage;  // the first stage that starts from it
  double& into;
};

void read_sizes(const GradientWords& words, GradientRequest& request) {
  const std::vector<Size> sizes = {{"--alpha", words.alpha, Handoff::ideal, 2, request.sizes.first},
                                   {"--beta", words.beta, Handoff::ideal, 3, request.sizes.second},
                                   {"--eta1", words.eta1, Handoff::actual, 2, request.sizes.first},
                                   {"--eta2", words.eta2, Handoff::actual, 3, request.sizes.second}};
  for (const Size& size : sizes) {
    const bool used = size.handoff == request.handoff && size.from_stage <= request.stage;
    if (size.value.empty()) {
      if (used && request.order == Order::full)
        throw InputError(size.option, "nothing",
                         fmt::format("the size of that step, from which stage {} starts (--order full, {} hand-off)",
                                     request.stage, name(request.handoff)));
      continue;
    }
    if (size.handoff != request.handoff)
      throw InputError(
          size.option, quoted(size.value),
          fmt::format("{} with --handoff {}", request.handoff == Handoff::ideal ? "--alpha and --beta" : "--eta1 and --eta2",
                      name(request.handoff)));
    if (!used)
      throw InputError(size.option, quoted(size.value),
                       fmt::format("no such size: stage {} starts before that step is taken", request.stage));
    if (request.order == Order::leading)
      throw InputError(
          size.option, quoted(size.value),
          "--order full, or no size: to leading order each monomial in the sizes is reported with its coefficient");
    // Far above any step that trains anything, far below where products of sizes overflow.
    size.into = parse_number(typed(size.option, size.value), {-1e9, 1e9});
  }
}

void check_combination(const GradientWords& words, const GradientRequest& request) {
  if (request.d && request.order == Order::leading)
    throw InputError("--order", "'leading' with -d",
                     "full: at finite d not even the gradient at zero is free of cross-talk");
  if (request.order == Order::leading && request.map() != request.stage)
    throw InputError("--param", fmt::format("'{}' with --stage {}", request.param, request.stage),
                     fmt::format("{}, which stage {} trains, or --order full", stage_param(request.stage), request.stage));
  if (!words.degree.empty() && request.order == Order::full)
    throw InputError("--degree", quoted(words.degree),
                     request.d ? "no -d: at finite d there are no Taylor coefficients"
                               : "--order leading: at full order there is one gradient and no coefficient");
  if (request.symbolic && request.order == Order::full)
    throw InputError("--symbolic", quoted(words.symbolic),
                     request.d ? "no -d: at finite d nothing is a rational function of N"
                               : "--order leading: the full softmax is not a rational function of N");
  if (!words.draws.empty() && !request.d && request.engine != "montecarlo")
    throw InputError("--draws", quoted(words.draws), "-d or --engine montecarlo with it: nothing else is drawn");
}

}  // namespace

void read_words(const GradientWords& words, GradientRequest& request) {
  read_stage(words, request);
  if (!words.handoff.empty())
    request.handoff = parse_handoff(parse_word(typed("--handoff", words.handoff), {"ideal", "actual"}));
  if (!words.blocks.empty())
    request.blocks = parse_blocks(parse_word(typed("--blocks", words.blocks), {"isolated", "full"}));
  request.order = request.d ? Order::full : Order::leading;
  if (!words.order.empty()) request.order = parse_order(parse_word(typed("--order", words.order), {"leading", "full"}));
  if (!words.degree.empty())
    request.degree = static_cast<int>(parse_integer(typed("--degree", words.degree), 1, highest_degree));
  if (!words.symbolic.empty()) {
    parse_word(typed("--symbolic", words.symbolic), {"N"});
    request.symbolic = true;
  }
  request.engine = words.engine;
  if (!words.draws.empty())
    request.draws = parse_integer(typed("--draws", words.draws), 2, std::numeric_limits<std::int64_t>::max() / 4);
  check_combination(words, request);
  read_sizes(words, request);
}

std::string describe_task(const GradientRequest& request) {
  const std::string text = request.task.describe();
  return request.symbolic && !request.N_given ? text.substr(text.find(' ') + 1) : text;
}

std::string describe(const GradientRequest& request) {
  std::string text = fmt::format("stage {}", request.stage);
  const bool ideal = request.handoff == Handoff::ideal;
  if (request.stage > 1) text += ideal ? ", ideal hand-off" : fmt::format(", actual hand-off ({})", name(request.blocks));
  text += request.degree ? fmt::format(", Taylor coefficients to degree {}", *request.degree)
                         : fmt::format(", {} order", name(request.order));
  if (request.order == Order::full && request.stage > 1)
    text += fmt::format(", {}={}", ideal ? "alpha" : "eta1", request.sizes.first);
  if (request.order == Order::full && request.stage > 2)
    text += fmt::format(" {}={}", ideal ? "beta" : "eta2", request.sizes.second);
  text += (request.symbolic ? ", functions of N, " : ", ") + describe_task(request);
  if (request.d) text += fmt::format(" d={}", *request.d);
  return text;
}

}  // namespace popgrad
