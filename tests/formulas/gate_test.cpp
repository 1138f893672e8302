// Golden values: exact enumeration of all sequences of the minimal task in rational arithmetic, in a separate program that
// differentiates the attention weights of layer 1 for every sequence.
#include "theory/formulas/gate.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Rational parse(const char* text) { return Rational(std::string(text)); }

void check_positions(int N, int T, const std::vector<std::vector<const char*>>& golden) {
  for (const auto background : {Background::any, Background::avoid})
    for (int t = 0; t < T; ++t)
      for (int s = 0; s < T; ++s) {
        INFO("N=" << N << " T=" << T << " row " << t + 1 << " column " << s + 1);
        CHECK(gate_value_path(N, T, background, Block::P, t, Block::P, s) ==
              parse(golden[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)]));
      }
}

// C by its definition: the squared norm of the map from cross-talk to gradient, one unit c_kv after the other, every sequence.
double enumerated_constant(int N, int T, Background background) {
  const auto size = static_cast<std::size_t>(N + T);
  double sum = 0;
  for (int k = 0; k < N; ++k)
    for (int v = 0; v < N + T; ++v) {
      std::vector<double> gradient(size * size, 0.0);
      for (int q = 0; q < N; ++q)
        for (int o = 0; o < N; ++o)
          for (int tau = 0; tau < T - 2; ++tau) {
            const int choices = background == Background::any ? N : N - 1;
            int count = 1;
            for (int i = 0; i < T - 3; ++i) count *= choices;
            for (int code = 0; code < count; ++code) {
              std::vector<int> z;
              for (int t = 0, rest = code; t < T; ++t) {
                if (t == tau || t == T - 1) {
                  z.push_back(q);
                } else if (t == tau + 1) {
                  z.push_back(o);
                } else {
                  const int token = rest % choices;
                  rest /= choices;
                  z.push_back(background == Background::avoid && token >= q ? token + 1 : token);
                }
              }
              const double weight = 1.0 / (N * N * (T - 2) * count * T);
              std::vector<double> r;
              double mean = 0;
              for (int s = 0; s < T; ++s) {
                const bool hit = v < N ? z[static_cast<std::size_t>(s)] == v : v - N == s;
                r.push_back(hit ? 1.0 / N - (o == k ? 1 : 0) : 0);
                mean += r.back() / T;
              }
              for (int s = 0; s < T; ++s)
                for (const int query : {q, N + T - 1})
                  for (const int key : {z[static_cast<std::size_t>(s)], N + s})
                    gradient[static_cast<std::size_t>(query) * size + static_cast<std::size_t>(key)] +=
                        weight * (r[static_cast<std::size_t>(s)] - mean);
            }
          }
      for (const double g : gradient) sum += g * g;
    }
  return sum;
}

}  // namespace

TEST_CASE("the constant of the gate's decay: the closed form is the enumerated squared norm") {
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{2, 4}, {3, 4}, {2, 6}, {3, 5}, {4, 5}})
    for (const auto background : {Background::any, Background::avoid}) {
      INFO("N=" << N << " T=" << T << " " << name(background));
      const Bindings at = {{"N", N}, {"T", T}};
      const double enumerated = enumerated_constant(N, T, background);
      CHECK(enumerated > 1e-4);
      CHECK(gate_decay_constant(background).evaluate(at) == Approx(enumerated).epsilon(1e-12));
      CHECK(gate_decay_constant_positions().evaluate(at) < 0.5 * enumerated);
    }
}

TEST_CASE("value path of the gate, (P,P): enumerated at (3,5) and (4,6), both backgrounds") {
  check_positions(3, 5,
                  {{"0", "0", "0", "0", "0"},
                   {"-151/243000", "151/243000", "0", "0", "0"},
                   {"-151/273375", "151/546750", "151/546750", "0", "0"},
                   {"-151/324000", "151/972000", "151/972000", "151/972000", "0"},
                   {"-151/506250", "151/759375", "151/759375", "151/759375", "-151/506250"}});
  check_positions(4, 6,
                  {{"0", "0", "0", "0", "0", "0"},
                   {"-203/737280", "203/737280", "0", "0", "0", "0"},
                   {"-203/829440", "203/1658880", "203/1658880", "0", "0", "0"},
                   {"-203/983040", "203/2949120", "203/2949120", "203/2949120", "0", "0"},
                   {"-203/1152000", "203/4608000", "203/4608000", "203/4608000", "203/4608000", "0"},
                   {"-203/1658880", "203/3317760", "203/3317760", "203/3317760", "203/3317760", "-203/1658880"}});
}

TEST_CASE("value path of the gate: row 3 is proportional to (-2, 1, 1), so P_{t-1} is tied") {
  const auto row = [](int s) { return gate_value_path(4, 6, Background::avoid, Block::P, 2, Block::P, s); };
  CHECK(row(0) == -2 * row(1));
  CHECK(row(1) == row(2));
  CHECK(row(1) > 0);
}

TEST_CASE("value path of the gate, (E,P): enumerated at (3,5) and (4,6), both backgrounds, every token alike") {
  const std::vector<const char*> small = {"-423857/656100000", "273763/656100000", "137863/656100000", "2869/24300000",
                                          "-151/1518750"};
  const std::vector<const char*> large = {"-226751/884736000", "126469/884736000", "65569/884736000",
                                          "115507/2654208000", "8729/331776000",   "-203/6635520"};
  for (const auto background : {Background::any, Background::avoid}) {
    for (int s = 0; s < 5; ++s)
      CHECK(gate_value_path(3, 5, background, Block::E, 1, Block::P, s) == parse(small[static_cast<std::size_t>(s)]));
    for (int s = 0; s < 6; ++s)
      CHECK(gate_value_path(4, 6, background, Block::E, s % 4, Block::P, s) == parse(large[static_cast<std::size_t>(s)]));
  }
}

TEST_CASE("value path of the gate, (E,E): enumerated, and here the backgrounds differ") {
  struct Golden {
    int N, T;
    Background background;
    const char *diag, *off;
  };
  for (const Golden& g : {Golden{3, 5, Background::any, "624083/1968300000", "-624083/3936600000"},
                          Golden{3, 5, Background::avoid, "11174/20503125", "-5587/20503125"},
                          Golden{4, 6, Background::any, "746431/5308416000", "-746431/15925248000"},
                          Golden{4, 6, Background::avoid, "182497/884736000", "-182497/2654208000"}}) {
    CHECK(gate_value_path(g.N, g.T, g.background, Block::E, 1, Block::E, 1) == parse(g.diag));
    CHECK(gate_value_path(g.N, g.T, g.background, Block::E, 1, Block::E, 0) == parse(g.off));
  }
}

TEST_CASE("value path of the gate, (P,E) is zero and every row adds up to zero over keys") {
  for (const auto background : {Background::any, Background::avoid}) {
    for (int t = 0; t < 8; ++t) {
      Rational positions = 0;
      for (int s = 0; s < 8; ++s) positions += gate_value_path(5, 8, background, Block::P, t, Block::P, s);
      CHECK(positions == 0);
      CHECK(gate_value_path(5, 8, background, Block::P, t, Block::E, 2) == gate_pe().evaluate_exact({}));
    }
    Rational tokens = 0, positions = 0;
    for (int j = 0; j < 5; ++j) tokens += gate_value_path(5, 8, background, Block::E, 0, Block::E, j);
    for (int s = 0; s < 8; ++s) positions += gate_value_path(5, 8, background, Block::E, 0, Block::P, s);
    CHECK(tokens == 0);
    CHECK(positions == 0);
  }
}

TEST_CASE("value path of the gate, (E,P) is the mean of the rows of (P,P) over tokens") {
  // Each x_t has one token, every one of the N equally often.
  for (int s = 0; s < 7; ++s) {
    Rational column = 0;
    for (int t = 0; t < 7; ++t) column += gate_value_path(3, 7, Background::any, Block::P, t, Block::P, s);
    CHECK(gate_value_path(3, 7, Background::any, Block::E, 0, Block::P, s) == column / 3);
  }
}

TEST_CASE("value path of the gate refuses what it does not describe") {
  CHECK_THROWS_AS(gate_value_path(1, 6, Background::any, Block::P, 0, Block::P, 0), HypothesisError);
  CHECK_THROWS_AS(gate_value_path(4, 3, Background::any, Block::P, 0, Block::P, 0), HypothesisError);
  CHECK_THROWS_AS(gate_value_path(4, 6, Background::any, Block::R, 0, Block::P, 0), HypothesisError);
  CHECK_THROWS_AS(gate_value_path(4, 6, Background::any, Block::P, 6, Block::P, 0), HypothesisError);
  CHECK_THROWS_AS(gate_value_path(4, 6, Background::any, Block::E, 4, Block::P, 0), HypothesisError);
}
