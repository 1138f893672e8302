// What popgrad steps prints and writes.
#pragma once
#include <array>
#include <string>

#include "app/steps_request.hpp"
#include "app/terminal.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

struct StepsResult {
  StepMap map;
  double chance = 0;      // 1/N
  Answer perfect;         // W_O = W_O*, W_K2 = b W_K2*, W_K1 = c W_K1*, c >> b >> 1
  double threshold = 0;   // success: accuracy after three steps above it
  // The best cell once more: `replicates` fresh sets of sequences, for the gradients as well.
  std::array<Answer, stages + 1> best;
  int replicates = 0;
};

std::string steps_table(const StepsRequest& request, const StepsResult& result, const TableStyle& style);
std::string steps_json(const StepsRequest& request, const StepsResult& result);  // docs/formats.md
FigureSeries steps_series(const StepsRequest& request, const StepsResult& result);

}  // namespace popgrad
