// One population gradient as the user asked for it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {

inline constexpr int highest_degree = 24;  // of Taylor coefficients; long before that the cost refuses

struct GradientRequest {
  std::string param;  // "wo2", "wk2", "wk1"
  int stage = 1;
  Handoff handoff = Handoff::ideal;
  Blocks blocks = Blocks::full;
  Order order = Order::leading;
  MinimalTask task;
  std::optional<int> degree;  // leading order: Taylor coefficients up to this total degree; empty: the leading terms alone
  bool symbolic = false;      // leading order: coefficients as functions of N
  bool N_given = false;       // by the user, who then also wants their values
  StageSizes sizes;           // of the steps before the stage, at full order
  std::string engine;         // empty: the cheapest that is exact, or else the cheapest
  std::optional<int> d;       // finite d; empty: the ideal model
  std::int64_t draws = 0;     // of the embeddings, or of sequences; 0: the engine's default
  std::uint64_t seed = 1;

  int map() const { return stage_of_param(param); }  // 1 W_O, 2 W_K2, 3 W_K1
};

// What the command line says, as text; empty where it says nothing.
struct GradientWords {
  std::string param, stage, handoff, blocks, order, degree, symbolic, engine, draws;
  std::string alpha, beta, eta1, eta2;
};

// Reads the words into `request`, whose task, d and seed are set already. InputError, naming the option, for anything that
// is no value of it, for options that contradict each other, and for a size that is missing.
void read_words(const GradientWords& words, GradientRequest& request);

// "stage 2, actual hand-off (full), full order, eta1=1, N=4 T=6 avoid query=last d=64"; "Taylor coefficients to degree 4".
std::string describe(const GradientRequest& request);
// "N=4 T=6 avoid query=last", without N where it is a symbol and the user gave none.
std::string describe_task(const GradientRequest& request);

}  // namespace popgrad
