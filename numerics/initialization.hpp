// How embedding tables and maps of the finite-d model start: law and scale of each, as an option.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "numerics/finite_model.hpp"

namespace popgrad {

// zero: all entries 0. uniform: entries U(-scale, scale). gaussian: entries N(0, scale^2).
// orthonormal: an embedding table gets `rows` orthogonal rows of norm `scale`, uniform on the Stiefel manifold
// (needs rows <= d); a map gets scale times an orthogonal matrix with Haar law.
enum class Init { zero, uniform, gaussian, orthonormal };
const char* name(Init kind);
Init parse_init(const std::string& text);  // throws InputError

// Without a scale, the default of the kind: uniform 1/sqrt(d) for a map (the published code's) and sqrt(3/d) for an
// embedding table (expected squared norm of a row 1); gaussian 1/sqrt(d) (same); orthonormal 1.
struct InitSpec {
  Init kind = Init::zero;
  std::optional<double> scale;  // finite and > 0 if given
};

enum class Table { tok, pos, out, wv1, wo1, wv2, wk1, wk2, wo2, wf };  // values number the substreams: never renumber
inline constexpr Table every_table[] = {Table::tok, Table::pos, Table::out, Table::wv1, Table::wo1,
                                        Table::wv2, Table::wk1, Table::wk2, Table::wo2, Table::wf};
const char* name(Table table);
inline bool is_embedding(Table table) { return table <= Table::out; }

// The scale in force: spec.scale, or the default above. 0 for Init::zero.
double effective_scale(Table table, const InitSpec& spec, int d);
// "gaussian(0.125)", "zero": the scale in force, in the shortest decimal that reads back to the same double.
std::string describe(Table table, const InitSpec& spec, int d);

// The defaults suit theory runs: embeddings and frozen maps Gaussian with variance 1/d, trained maps zero, kappa = 1.
struct ModelOptions {
  int N = 65;
  int T = 64;
  int d = 64;
  double score_scale = 1;     // kappa
  bool feed_forward = false;  // W_F used at all
  InitSpec tok{Init::gaussian, {}}, pos{Init::gaussian, {}}, out{Init::gaussian, {}};
  InitSpec wv1{Init::gaussian, {}}, wo1{Init::gaussian, {}}, wv2{Init::gaussian, {}};
  InitSpec wk1, wk2, wo2, wf;  // zero

  InitSpec& at(Table table);
  const InitSpec& at(Table table) const;
  // InputError naming N, T, d, score_scale, "tok.scale" ... or, for an orthonormal table with more rows than d, the table.
  void validate() const;
};

// Rows of a table of that model; all have d columns.
int rows_of(Table table, const ModelOptions& options);

// The published code's: token and position embeddings with N(0,1) entries; output embeddings and every map (trained ones
// too) U(-1/sqrt(d), 1/sqrt(d)); kappa = 1/sqrt(d), no feed-forward layer.
ModelOptions published_options(int N, int T, int d);

// Draws every table from its own stream (seed, embeddings or initialization, sample = table, substream = row): changing
// one option leaves the draws of all the others unchanged, and raising N or T keeps the rows there were.
// Throws InputError through options.validate(). W_F is zero without the feed-forward layer.
FiniteModel make_model(const ModelOptions& options, std::uint64_t seed);

// One table alone, rows x d; what make_model puts there.
Matrix draw_table(Table table, const InitSpec& spec, int rows, int d, std::uint64_t seed);

}  // namespace popgrad
