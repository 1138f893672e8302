#include "numerics/moment_law.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {

TokenLaw::TokenLaw(int N, Background law, int backgrounds) : N_(N), backgrounds_(backgrounds), total_(1) {
  require(N >= 2, "TokenLaw", "N", "at least 2", std::to_string(N));
  require(backgrounds >= 0 && backgrounds <= most - 2, "TokenLaw", "backgrounds", "0 .. " + std::to_string(most - 2),
          std::to_string(backgrounds));
  patterns_ = {Pattern{{}, 1, Integer(1)}};  // the trigger alone, its label the same in all
  for (int i = output; i < background + backgrounds; ++i) {
    const bool avoids = i >= background && law == Background::avoid;
    const int choices = avoids ? N - 1 : N;
    total_ *= choices;
    std::vector<Pattern> longer;
    for (const Pattern& pattern : patterns_) {
      const int first = avoids ? 1 : 0;  // class 0 is the trigger's
      for (int c = first; c <= pattern.classes; ++c) {
        const int ways = c < pattern.classes ? 1 : choices - (pattern.classes - first);
        if (ways == 0) continue;
        Pattern next = pattern;
        next.token[at(i)] = c;
        next.classes = c < pattern.classes ? pattern.classes : pattern.classes + 1;
        next.ways *= ways;
        longer.push_back(next);
      }
    }
    patterns_ = std::move(longer);
  }
}

void TokenLaw::needs(int backgrounds, const char* by) const {
  require(backgrounds_ >= backgrounds, by, "law", "at least " + std::to_string(backgrounds) + " background tokens",
          std::to_string(backgrounds_));
}

}  // namespace popgrad
