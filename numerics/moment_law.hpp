// Joint laws of a few tokens of the minimal task, exactly: with uniform attention and prediction, gradients depend on
// nothing else. Internal to numerics.
#pragma once
#include <array>
#include <vector>

#include "core/minimal_task.hpp"
#include "numerics/moment_integer.hpp"

namespace popgrad {

// The trigger q, the output o and a few background tokens at different positions. Given q they are independent: o uniform,
// background tokens uniform on [N], or on [N] without q. Only equalities matter, so the law is a list of equality patterns
// (203 for six tokens).
class TokenLaw {
 public:
  enum : int { trigger = 0, output = 1, background = 2 };  // background + i: the i-th background token
  static constexpr int most = 6;

  // HypothesisError unless N >= 2 and 0 <= backgrounds <= most - 2.
  TokenLaw(int N, Background law, int backgrounds);
  // HypothesisError unless it has so many background tokens: events that ask about others would be answered.
  void needs(int backgrounds, const char* by) const;

  // E[(1{z_a = o} - 1/N) event(same)], same(u, v) = 1{z_u = z_v} as 0 or 1; event returns an integer.
  template <class Event>
  Rational excess(int a, const Event& event) const {
    Integer with_output(0), all(0);
    for (const Pattern& pattern : patterns_) {
      const auto same = [&pattern](int u, int v) -> long { return pattern.token[at(u)] == pattern.token[at(v)] ? 1 : 0; };
      const long value = event(same);
      if (value == 0) continue;
      const Integer part = pattern.ways * value;
      all += part;
      if (same(a, output)) with_output += part;
    }
    return Rational(with_output * N_ - all, total_ * N_);
  }

 private:
  struct Pattern {
    std::array<int, most> token{};  // class of each token, numbered by first appearance
    int classes = 0;
    Integer ways;  // labellings: of `total_` equally likely ones
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int N_, backgrounds_;
  Integer total_;
  std::vector<Pattern> patterns_;
};

}  // namespace popgrad
