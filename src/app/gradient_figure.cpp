#include "app/gradient_figure.hpp"

#include "app/draw_figures.hpp"
#include "numerics/block_picture.hpp"
#include "reports/gradient_blocks.hpp"

namespace popgrad {
namespace {

std::vector<BlockSummary<double>> values_of(const std::vector<GradientBlock>& blocks) {
  std::vector<BlockSummary<double>> list;
  for (const GradientBlock& block : blocks) {
    list.push_back({block.name, block.kind, block.diag.value, block.off.value, {}, true, 0});
    for (const Number& entry : block.entries) list.back().entries.push_back(entry.value);
  }
  return list;
}

}  // namespace

std::string draw_gradient(const GradientRequest& request, const GradientResult& result, const std::filesystem::path& folder) {
  FigureSeries series{"gradient_blocks", "", describe(request), {picture_columns(), {}}};
  std::vector<std::string> titles;
  for (const GradientTerm& term : result.terms) {
    const std::string& monomial = term.monomial;
    titles.push_back(monomial == "full" ? "full softmax" : monomial == "1" ? "" : "per " + monomial);
    const auto points = picture_points(static_cast<int>(titles.size()), values_of(term.blocks), request.task.N, request.task.T);
    series.table.rows.insert(series.table.rows.end(), points.begin(), points.end());
  }
  const char* maps[] = {"W_O", "W_K2", "W_K1"};
  const std::string title = std::string("−∂L/∂") + maps[request.map() - 1] + ", block by block (" + result.engine + ")";
  return figure_text(draw(gradient_blocks_figure("gradient_blocks", series, title, titles), folder));
}

}  // namespace popgrad
