// Figure: where both layers look along one sequence, before and after training.
#pragma once
#include <string>
#include <vector>

#include "reports/figure.hpp"

namespace popgrad {

struct AttentionMaps {
  std::vector<std::string> names;  // of the L tokens, in UTF-8: "e", "␣"
  std::vector<int> tokens;         // L
  std::vector<bool> triggers;      // L: z_t is one
  std::vector<std::pair<int, int>>
      copies;  // (query, key), 0-based: z_query is a trigger seen before, and key follows an earlier one
  std::int64_t first_step = 0, last_step = 0;  // of before and after
  // [layer - 1][0 before, 1 after]: L x L, row t the query; entries of later keys are not looked at.
  std::vector<std::vector<double>> weights[2][2];
};

// Four panels: layers side by side, before above after; queries downwards, keys to the right. One colour scale a layer, from
// white at 0 to the largest weight of both of its panels; keys that a query may not attend to are grey. Squares mark the
// right keys of copying. Columns of the table: layer, step, query, key (positions from 1), their tokens, whether each is a
// trigger, whether the key is a right one, attention (NaN where the mask is). HypothesisError unless all sizes agree.
FigureSpec attention_maps_figure(const std::string& name, const std::string& title, const AttentionMaps& maps);

}  // namespace popgrad
