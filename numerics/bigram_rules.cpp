#include "numerics/bigram_rules.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {

TriggerOutputs::TriggerOutputs(const std::vector<int>& triggers, const std::vector<int>& outputs) : TriggerOutputs() {
  const char* function = "TriggerOutputs";
  require(triggers.size() == outputs.size(), function, "outputs", "one for each trigger",
          std::to_string(outputs.size()) + " for " + std::to_string(triggers.size()));
  const auto is_token = [](int z) { return 0 <= z && z < 256; };
  for (std::size_t k = 0; k < triggers.size(); ++k) {
    require(is_token(triggers[k]) && is_token(outputs[k]), function, "triggers, outputs", "tokens 0..255",
            std::to_string(triggers[k]) + ", " + std::to_string(outputs[k]));
    require(!is_trigger(triggers[k]), function, "triggers", "distinct", std::to_string(triggers[k]) + " twice");
    set(triggers[k], outputs[k]);
  }
}

void find_heads(const std::vector<int>& drawn, const TriggerOutputs& outputs, std::vector<Target>& heads) {
  require(!drawn.empty(), "find_heads", "drawn", "at least one token", "none");
  const std::size_t T = drawn.size() - 1;
  std::array<std::uint8_t, 256> seen{};
  // Every position is written where the next head goes, and stays if it is one: no branch that depends on the text.
  heads.resize(T + 1);
  std::size_t found = 0;
  for (std::size_t t = 0; t < T; ++t) {
    const auto z = static_cast<std::size_t>(drawn[t]);
    heads[found] = {static_cast<int>(t), drawn[t + 1]};
    found += seen[z];
    seen[z] = outputs.is_trigger(drawn[t]);
  }
  heads.resize(found);
}

CyclicTokens cyclic_tokens(const std::vector<int>& triggers, const TriggerOutputs& outputs) {
  CyclicTokens cyclic;
  std::array<std::uint16_t, 256> walk{};  // number of the walk that met a token first; 0: none yet
  const auto at = [](int z) { return static_cast<std::size_t>(z); };
  std::uint16_t number = 0;
  for (const int q : triggers) {
    ++number;
    int z = q;
    for (; outputs.is_trigger(z) && walk[at(z)] == 0; z = outputs.after(z)) walk[at(z)] = number;
    if (walk[at(z)] != number) continue;  // left the triggers, or ran into an earlier walk, whose cycles are known
    cyclic.any = true;
    for (; !cyclic.on[at(z)]; z = outputs.after(z)) cyclic.on[at(z)] = true;
  }
  return cyclic;
}

}  // namespace popgrad
