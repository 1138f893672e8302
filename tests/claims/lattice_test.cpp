#include "theory/claims/lattice.hpp"

#include <algorithm>

#include "tests/claims/claim_support.hpp"
#include "theory/claims/lattice_diagnosis.hpp"

using namespace popgrad;

namespace {

LatticeOptions options(int N, int T, std::vector<double> second = {0.3, 3}, std::vector<double> third = {10}) {
  LatticeOptions made;
  made.N = N;
  made.T = T;
  made.background = Background::avoid;
  made.query = Query::last;
  made.grid = {{1}, std::move(second), std::move(third)};
  return made;
}

const LatticeRow& row_of(const std::vector<LatticeRow>& rows, Handoff handoff, Blocks blocks) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const LatticeRow& r) { return r.switches.handoff == handoff && r.switches.blocks == blocks; });
}

}  // namespace

TEST_CASE("lattice: at (4,6), avoid, last, isolated or ideal memories form the head, actual steps with all blocks do not") {
  const auto rows = lattice(options(4, 6, {0.03, 0.3, 1, 3}));
  REQUIRE(rows.size() == 4);
  for (const LatticeRow& row : rows) {
    const bool open = row.switches.handoff == Handoff::actual && row.switches.blocks == Blocks::full;
    INFO(row.switches.describe());
    const auto formation = [&](std::size_t column) { return row.cells[column].formation; };
    CHECK(formation(0) == (open ? Formation::fails : Formation::forms));
    CHECK(formation(1) == Formation::forms);
    CHECK(formation(2) == Formation::forms);
    CHECK(formation(3) == (open ? Formation::fails : Formation::forms));
    CHECK(formation(4) == (open ? Formation::fails : Formation::forms));
    for (const LatticeCell& cell : row.cells) {
      INFO(cell.row.part << ": " << cell.row.reason);
      CHECK(cell.because.empty() == (cell.formation == Formation::forms));
      CHECK(cell.row.verdict == Verdict::verified);
      CHECK(cell.row.controls.size() >= 4);
    }
  }
  // Margins that THEORY states: 1/(N T), and diag N/(N-1) of 25/9216 and 25/221184.
  CHECK(row_of(rows, Handoff::ideal, Blocks::isolated).cells[1].exact == "1/24");
  CHECK(row_of(rows, Handoff::ideal, Blocks::full).cells[2].exact == "25/6912");
  CHECK(row_of(rows, Handoff::actual, Blocks::isolated).cells[2].exact == "25/165888");
}

TEST_CASE("lattice: T = 4 fails at step 2 whatever is handed on, and step 3 of actual steps with it") {
  const auto rows = lattice(options(3, 4, {1}));
  for (const LatticeRow& row : rows) {
    CHECK(row.cells[2].formation == Formation::fails);
    CHECK(row.cells[2].margin < 0);
    CHECK(!row.cells[2].because.empty());
  }
  CHECK(row_of(rows, Handoff::ideal, Blocks::isolated).cells[3].formation == Formation::forms);
  CHECK(row_of(rows, Handoff::actual, Blocks::isolated).cells[3].formation == Formation::fails);
}

TEST_CASE("lattice: at (2,4), avoid, the signal of step 2 is exactly zero, a tie and no failure, and its row is verified") {
  const auto rows = lattice(options(2, 4, {1}));
  const LatticeRow& isolated = row_of(rows, Handoff::actual, Blocks::isolated);
  for (const std::size_t column : {std::size_t{2}, std::size_t{3}}) {
    const LatticeCell& cell = isolated.cells[column];
    INFO(cell.row.part << ": " << cell.row.reason);
    CHECK(cell.formation == Formation::ties);
    CHECK(cell.exact == "0");
    CHECK(cell.because.starts_with("a tie"));
    CHECK(cell.row.verdict == Verdict::verified);
  }
  CHECK(row_of(rows, Handoff::ideal, Blocks::isolated).cells[3].formation == Formation::fails);
}

TEST_CASE("lattice: at (4,4) the end of ideal isolated steps fails, and an ideal head in its place is judged as forming") {
  LatticeOptions whole_grid = options(4, 4);
  whole_grid.grid = {};
  const auto rows = lattice(whole_grid);
  const LatticeCell& end = row_of(rows, Handoff::ideal, Blocks::isolated).cells[4];
  INFO(end.row.reason);
  CHECK(end.formation == Formation::fails);
  CHECK(end.row.verdict == Verdict::verified);
  CHECK(end.row.controls.size() >= 4);
}

TEST_CASE("lattice: the gate is compared in all blocks and rows of W_K1") {
  const auto rows = lattice(options(3, 5, {1}));
  for (const LatticeRow& row : rows) {
    const LatticeCell& gate = row.cells[0];
    INFO(row.switches.describe() << ": " << gate.row.reason);
    CHECK(gate.row.verdict == Verdict::verified);
    CHECK(gate.row.comparison.entries == 2 + 2 * 5 + 5 * 5);
    CHECK((gate.margin < 0) == (gate.formation == Formation::fails));
  }
}

TEST_CASE("lattice: where T is sampled the accuracy of the sizes chosen is that of other sequences than chose them") {
  const MinimalTask task{4, 10, Background::avoid, Query::last, {}};
  ConstructionOptions few;
  few.samples = few.gradient_samples = 200;
  const Construction engine(task, Handoff::actual, Blocks::full, few);
  const StepPlan plan{Handoff::actual, KeptBlocks(Blocks::isolated), {1, 1, 1}};
  const Reached best = best_accuracy(engine, plan, {{1}, {1, 3}, {3, 10}}).after[3];
  const InvariantMaps<double> maps = planned_start(engine, plan, 4, best.sizes);
  CHECK(best.answer.accuracy == engine.answer(maps, 1).accuracy);
  CHECK(best.answer.margin != engine.answer(maps, 0).margin);
}

TEST_CASE("lattice: fixed sizes replace the grid, and the row says them") {
  LatticeOptions fixed = options(3, 4);
  fixed.sizes = StageSizes{12, 30, 100};
  for (const LatticeRow& row : lattice(fixed)) {
    const StageSizes& used = row.accuracy.after[3].sizes;
    CHECK(used.first == 12);
    CHECK(used.second == 30);
    CHECK(used.third == 100);
    CHECK(row.cells[4].row.configuration.ends_with(" eta=12,30,100"));
  }
}

TEST_CASE("accuracy over a grid: a grid that contains another is at least as good, reversing W_O is worse") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  const Construction engine(task, Handoff::actual, Blocks::full);
  const StepPlan plan{Handoff::actual, KeptBlocks(Blocks::isolated), {1, 1, 1}};
  const SizeGrid small{{1}, {3}, {10}}, large{{1}, {1, 3}, {3, 10}};
  const double few = best_accuracy(engine, plan, small).after[3].answer.accuracy;
  CHECK(few <= best_accuracy(engine, plan, large).after[3].answer.accuracy);
  StepPlan reversed = plan;
  reversed.sign[0] = -1;
  CHECK(best_accuracy(engine, reversed, small).after[3].answer.accuracy < few);
  // The maps behind the best are those of planned_start.
  const Reached best = best_accuracy(engine, plan, small).after[3];
  CHECK(engine.answer(planned_start(engine, plan, 4, best.sizes)).accuracy == best.answer.accuracy);
}
