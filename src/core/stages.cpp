#include "core/stages.hpp"

#include "core/errors.hpp"

namespace popgrad {
namespace {

template <class Choice>
Choice parse(const char* argument, const std::string& text, Choice first, Choice second) {
  for (const Choice choice : {first, second})
    if (text == name(choice)) return choice;
  throw InputError(argument, "'" + text + "'", std::string(name(first)) + " or " + name(second));
}

}  // namespace

const char* name(Handoff handoff) { return handoff == Handoff::ideal ? "ideal" : "actual"; }
const char* name(Blocks blocks) { return blocks == Blocks::isolated ? "isolated" : "full"; }
const char* name(Order order) { return order == Order::leading ? "leading" : "full"; }
Handoff parse_handoff(const std::string& text) { return parse("handoff", text, Handoff::ideal, Handoff::actual); }
Blocks parse_blocks(const std::string& text) { return parse("blocks", text, Blocks::isolated, Blocks::full); }
Order parse_order(const std::string& text) { return parse("order", text, Order::leading, Order::full); }

const char* stage_param(int stage) {
  require(stage >= 1 && stage <= stages, "stage_param", "stage", "1, 2 or 3", std::to_string(stage));
  return stage == 1 ? "wo2" : stage == 2 ? "wk2" : "wk1";
}

int stage_of_param(const std::string& text) {
  for (int stage = 1; stage <= stages; ++stage)
    if (text == stage_param(stage)) return stage;
  throw InputError("param", "'" + text + "'", "wo2, wk2 or wk1");
}

}  // namespace popgrad
