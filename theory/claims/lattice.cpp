#include "theory/claims/lattice.hpp"

#include <fmt/core.h>

#include "theory/claims/lattice_cells.hpp"
#include "theory/claims/support.hpp"

namespace popgrad {
namespace {

Series accuracy_series(const LatticeRow& row) {
  Series series;
  series.figure = "lattice_accuracy";
  series.columns = {"ideal hand-off", "full blocks", "any background", "any query",      "chance",
                    "step 1",         "step 2",      "step 3",         "standard error", "ideal head"};
  const auto flag = [](bool on) { return on ? 1.0 : 0.0; };
  const auto& after = row.accuracy.after;
  series.rows = {{flag(row.switches.handoff == Handoff::ideal), flag(row.switches.blocks == Blocks::full),
                  flag(row.switches.task.background == Background::any), flag(row.switches.task.query == Query::any),
                  row.chance, after[1].answer.accuracy, after[2].answer.accuracy, after[3].answer.accuracy,
                  after[3].answer.error, row.ideal_head}};
  return series;
}

LatticeRow make_row(const LatticeSwitches& switches, const Construction& engine, const LatticeOptions& options) {
  LatticeRow row;
  row.switches = switches;
  row.chance = 1.0 / switches.task.N;
  row.ideal_head = ideal_head_accuracy(engine);
  row.accuracy =
      best_accuracy(engine, {switches.handoff, KeptBlocks(switches.blocks), {1, 1, 1}}, options.grid, options.sizes);
  const auto cell = [&](std::size_t column, const std::function<LatticeCell()>& make) {
    options.progress(switches.describe() + ", " + lattice_columns[column]);
    LatticeCell made;
    Row judged = timed([&] {
      made = make();
      return made.row;
    });
    made.row = std::move(judged);
    made.row.claim = "T3.lattice";
    made.row.part = lattice_columns[column];
    made.row.configuration = switches.describe();
    if (options.sizes)
      made.row.configuration +=
          fmt::format(" eta={:g},{:g},{:g}", options.sizes->first, options.sizes->second, options.sizes->third);
    row.cells[column] = std::move(made);
  };
  cell(0, [&] { return gate_cell(switches); });
  cell(1, [&] { return first_cell(switches); });
  cell(2, [&] { return second_cell(switches); });
  cell(3, [&] { return third_cell(switches); });
  const StageSizes& sizes = row.accuracy.after[3].sizes;
  for (const int stage : {2, 3})
    row.cells[static_cast<std::size_t>(stage)].at_sizes = sign_at_sizes(switches, engine, stage, sizes);
  cell(4, [&] { return end_cell(switches, engine, options, row.accuracy, row.ideal_head); });
  row.cells[4].row.series.push_back(accuracy_series(row));
  return row;
}

}  // namespace

const char* name(Formation formation) {
  switch (formation) {
    case Formation::forms:
      return "forms";
    case Formation::fails:
      return "fails";
    case Formation::ties:
      return "ties";
    case Formation::undecided:
      return "undecided";
    case Formation::not_applicable:
      return "not applicable";
  }
  return "";
}

std::string LatticeSwitches::describe() const {
  return std::string(name(handoff)) + ", " + name(blocks) + ", " + task.describe();
}

std::vector<LatticeRow> lattice(const LatticeOptions& options) {
  std::vector<LatticeRow> rows;
  for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
    for (const Blocks blocks : {Blocks::isolated, Blocks::full})
      for (const Background background : {Background::avoid, Background::any})
        for (const Query query : {Query::last, Query::any}) {
          if (options.background.value_or(background) != background || options.query.value_or(query) != query) continue;
          const MinimalTask task{options.N, options.T, background, query, {}};
          ConstructionOptions construction;
          construction.samples = construction.gradient_samples = options.samples;
          construction.seed = options.seed;
          const Construction engine(task, Handoff::actual, Blocks::full, construction);
          rows.push_back(make_row({handoff, blocks, task}, engine, options));
        }
  return rows;
}

std::vector<Row> lattice_verdicts(const std::vector<LatticeRow>& rows) {
  std::vector<Row> verdicts;
  for (const LatticeRow& row : rows)
    for (const LatticeCell& cell : row.cells) verdicts.push_back(cell.row);
  return verdicts;
}

}  // namespace popgrad
