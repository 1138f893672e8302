// Taylor coefficients of the stages: against the leading terms, against every sequence, and against the softmax itself.
#include "numerics/taylor_terms.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/errors.hpp"
#include "core/interval.hpp"
#include "numerics/certified_descent.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/map_series.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

struct Case {
  Handoff handoff;
  Blocks blocks;
};
const Case cases[] = {{Handoff::ideal, Blocks::full}, {Handoff::actual, Blocks::isolated}, {Handoff::actual, Blocks::full}};

// Every number of the map that a stage trains.
template <class S>
std::vector<S> numbers(const InvariantMaps<S>& maps, int stage) {
  std::vector<S> all;
  const auto take = [&](const auto& blocks) {
    for (const InvariantBlock<S>& block : blocks) {
      if (block.entries.empty()) all.insert(all.end(), {block.diag, block.off});
      all.insert(all.end(), block.entries.begin(), block.entries.end());
    }
  };
  if (stage == 2) take(maps.wk2);
  if (stage == 3) take(maps.wk1);
  return all;
}

bool same(const InvariantMaps<Rational>& a, const InvariantMaps<Rational>& b, int stage) {
  return numbers(a, stage) == numbers(b, stage);
}

}  // namespace

TEST_CASE("the monomials of the Taylor coefficients, by degree and then by the power of the second size") {
  const auto names = [](Handoff handoff, int stage, int degree) {
    std::string text;
    for (const Monomial& m : taylor_monomials(handoff, stage, degree)) text += (text.empty() ? "" : " ") + name(m, handoff);
    return text;
  };
  CHECK(names(Handoff::ideal, 1, 5) == "1");
  CHECK(names(Handoff::actual, 2, 3) == "eta1 eta1^2 eta1^3");
  CHECK(names(Handoff::ideal, 3, 3) == "alpha alpha^2 alpha*beta alpha^3 alpha^2*beta alpha*beta^2");
  CHECK(names(Handoff::actual, 3, 5) ==
        "eta1 eta1^2 eta1^3 eta1^2*eta2 eta1^4 eta1^3*eta2 eta1^5 eta1^4*eta2 eta1^3*eta2^2");
  CHECK_THROWS_AS(taylor_monomials(Handoff::ideal, 4, 1), HypothesisError);
  CHECK_THROWS_AS(taylor_monomials(Handoff::ideal, 2, 0), HypothesisError);
}

TEST_CASE("the leading terms are among the Taylor coefficients, whatever the degree") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const Case& c : cases)
        for (int stage = 2; stage <= 3; ++stage) {
          if (stage == 3 && query == Query::any) continue;  // slow, and nothing of its own
          const MinimalTask task{3, query == Query::last ? 4 : 5, background, query, {}};
          INFO(task.describe() << " " << name(c.handoff) << " " << name(c.blocks) << " stage " << stage);
          std::map<std::string, InvariantMaps<Rational>> taylor;
          for (StageTerm& term : taylor_terms(task, c.handoff, c.blocks, stage, 4)) taylor[term.monomial] = term.descent;
          CHECK(taylor.size() == taylor_monomials(c.handoff, stage, 4).size());
          for (const StageTerm& term : stage_terms(task, c.handoff, c.blocks, stage)) {
            REQUIRE(taylor.count(term.monomial) == 1);
            CHECK(same(taylor[term.monomial], term.descent, stage));
          }
          for (const StageTerm& term : taylor_terms(task, c.handoff, c.blocks, stage, 3))  // nothing depends on the degree
            CHECK(same(taylor[term.monomial], term.descent, stage));
        }
  const auto first = taylor_terms({3, 5, Background::any, Query::last, {}}, Handoff::actual, Blocks::full, 3, 1);
  CHECK(first.size() == 1);
}

namespace {

using Full = IdealMaps<TruncatedSeries>;

// Every entry of every sequence, along eta2 = rho eta1: the steps by enumeration too, their W_K2 as the series that it is.
Full enumerated_along(const MinimalTask& task, const Case& c, int stage, int degree, const Rational& rho) {
  const auto kept = [&](const IdealMaps<TruncatedSeries>& maps, int of) {
    if (c.handoff == Handoff::actual && c.blocks == Blocks::full) return maps;
    Full alone(task.N, task.T);
    const Coordinates at = maps.at;
    for (int k = 0; k < task.N; ++k)
      for (int j = 0; j < task.N; ++j) {
        if (of == 1) alone.u(k, at.at(Block::E, j)) = maps.u(k, at.at(Block::E, j));
        if (of == 2) alone.k2(at.at(Block::E, k), at.at(Block::R, j)) = maps.k2(at.at(Block::E, k), at.at(Block::R, j));
      }
    return alone;
  };
  Full start(task.N, task.T);
  const TruncatedSeries h = TruncatedSeries::monomial(1, 1, degree);
  for (int earlier = 1; earlier < stage; ++earlier) {
    const Full step = c.handoff == Handoff::ideal ? ideal_memories<TruncatedSeries>(task.N, task.T)
                                                  : population_descent(task, start, {earlier == 1, earlier == 2, false});
    const Full handed = kept(step, earlier);
    const TruncatedSeries size = earlier == 1 ? h : h * TruncatedSeries(rho);
    if (earlier == 1)
      for (std::size_t i = 0; i < start.wo.size(); ++i) start.wo[i] = size * handed.wo[i];
    if (earlier == 2)
      for (std::size_t i = 0; i < start.wk2.size(); ++i) start.wk2[i] = size * handed.wk2[i];
  }
  return population_descent(task, start, {false, stage == 2, stage == 3});
}

}  // namespace

TEST_CASE("Taylor coefficients are those of every sequence written out, along a ray that was not used to find them") {
  const int degree = 4;
  const Rational rho(5, 7);
  for (const Background background : {Background::any, Background::avoid})
    for (const Case& c : cases)
      for (int stage = 2; stage <= 3; ++stage) {
        const MinimalTask task = background == Background::any ? MinimalTask{3, 4, background, Query::last, {}}
                                                               : MinimalTask{2, 5, background, Query::any, {}};
        INFO(task.describe() << " " << name(c.handoff) << " " << name(c.blocks) << " stage " << stage);
        const Full all = enumerated_along(task, c, stage, degree, rho);
        const std::vector<Monomial> monomials = taylor_monomials(c.handoff, stage, degree);
        const std::vector<StageTerm> terms = taylor_terms(task, c.handoff, c.blocks, stage, degree);
        REQUIRE(terms.size() == monomials.size());
        int different = 0, nonzero = 0;
        for (int total = 1; total <= degree; ++total) {
          InvariantMaps<Rational> sum(task.N, task.T);
          for (std::size_t k = 0; k < terms.size(); ++k) {
            if (monomials[k].degree() != total) continue;
            Rational power(1);
            for (int j = 0; j < monomials[k].second; ++j) power *= rho;
            sum.add(power, terms[k].descent);
          }
          const IdealMaps<Rational> expected = expand(sum);
          const auto compare = [&](const std::vector<Rational>& a, const std::vector<TruncatedSeries>& b) {
            for (std::size_t i = 0; i < a.size(); ++i) {
              different += a[i] != b[i][total];
              nonzero += !a[i].is_zero();
            }
          };
          compare(expected.wk2, all.wk2);
          compare(expected.wk1, all.wk1);
        }
        CHECK(different == 0);
        CHECK(nonzero > 10);  // not a comparison of zeros
      }
}

namespace {

// Enclosures of (full softmax at sizes h, 2h) - sum of the Taylor terms up to degree n, divided by h^(n+1).
std::vector<Interval> remainder(const MinimalTask& task, const Case& c, int stage, int n, double h,
                                const std::vector<Monomial>& monomials, const std::vector<StageTerm>& terms) {
  const StageSizes sizes{h, 2 * h, 0};
  const InvariantMaps<Interval> start = certified_start(task, c.handoff, c.blocks, stage, sizes);
  std::vector<Interval> rest = numbers(certified_descent(task, start, {false, stage == 2, stage == 3}), stage);
  Interval scale(1);
  for (int k = 0; k <= n; ++k) scale = scale * Interval(h);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (monomials[k].degree() > n) continue;
    Rational size(1);
    for (int i = 0; i < monomials[k].degree(); ++i) size *= Rational(h);
    for (int j = 0; j < monomials[k].second; ++j) size *= 2;
    const std::vector<Rational> values = numbers(terms[k].descent, stage);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Rational term = size * values[i];
      const double middle = to_double(term);
      const double slack = std::abs(middle) * 0x1p-52 + 0x1p-1000;
      rest[i] = rest[i] - Interval(middle - slack, middle + slack);
    }
  }
  for (Interval& x : rest) x = x / scale;
  return rest;
}

// Along (h, 2h): the coefficient of h^degree.
std::vector<double> along_ray(int degree, int stage, const std::vector<Monomial>& monomials,
                              const std::vector<StageTerm>& terms) {
  std::vector<double> sum;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (monomials[k].degree() != degree) continue;
    const std::vector<Rational> values = numbers(terms[k].descent, stage);
    sum.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += std::ldexp(to_double(values[i]), monomials[k].second);
  }
  return sum;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

double largest(const std::vector<Interval>& values) {
  double most = 0;
  for (const Interval& x : values) most = std::max(most, std::abs(x.middle()));
  return most;
}

double widest(const std::vector<Interval>& values) {
  double most = 0;
  for (const Interval& x : values) most = std::max(most, x.width());
  return most;
}

// Entries whose remainder is certainly not within `allowed` of `expected`.
int outside(const std::vector<Interval>& rest, const std::vector<double>& expected, double allowed) {
  int count = 0;
  for (std::size_t i = 0; i < rest.size(); ++i)
    count += rest[i].upper() < expected[i] - allowed || rest[i].lower() > expected[i] + allowed;
  return count;
}

}  // namespace

// The remainder after degree n is c_(n+1) h^(n+1) + c_(n+2) h^(n+2) + ..., and c_(n+1), c_(n+2) are known: at sizes at which
// the series converges fast, the remainder over h^(n+1) is within 2 |c_(n+2)| h of c_(n+1). Its slope between h/2 and h is
// n + 1 up to what that allows. A wrong coefficient of degree n leaves a term in h^n.
TEST_CASE("what the Taylor coefficients up to degree n leave of the full softmax falls as the power n + 1 of the sizes") {
  const int most = 5;
  const MinimalTask task{4, 5, Background::avoid, Query::last, {}};
  for (const Case& c : cases)
    for (int stage = 2; stage <= 3; ++stage) {
      const std::vector<Monomial> monomials = taylor_monomials(c.handoff, stage, most);
      std::vector<StageTerm> terms = taylor_terms(task, c.handoff, c.blocks, stage, most);
      // So large that remainders stand out of rounding, so small that the next term is small beside them: both are checked.
      const double h = c.handoff == Handoff::ideal ? 0x1p-5 : c.blocks == Blocks::isolated ? 0.5 : 0x1p-4;
      for (int n = 1; n <= most - 2; ++n) {
        INFO(name(c.handoff) << " " << name(c.blocks) << " stage " << stage << " degree " << n);
        const std::vector<double> next = along_ray(n + 1, stage, monomials, terms);
        const double allowed = 2 * h * largest(along_ray(n + 2, stage, monomials, terms)), size = largest(next);
        const std::vector<Interval> rest = remainder(task, c, stage, n, h, monomials, terms);
        const std::vector<Interval> half = remainder(task, c, stage, n, h / 2, monomials, terms);
        const double width = std::max(widest(rest), widest(half));
        CHECK(width < 0.1 * (allowed + size));  // rounding decides nothing
        CHECK(outside(rest, next, allowed + width) == 0);
        if (size == 0) continue;  // isolated blocks have no even degrees, or none without the second size
        CHECK(allowed < 0.3 * size);
        const double slope = n + 1 + std::log2(largest(rest) / largest(half)), bend = (allowed + width) / size;
        CHECK(std::abs(slope - (n + 1)) <= std::log2((1 + bend) / (1 - bend)));
        for (std::size_t k = 0; k < terms.size(); ++k) {
          if (monomials[k].degree() != n) continue;
          const InvariantMaps<Rational> right = terms[k].descent;
          const std::vector<Rational> values = numbers(right, stage);
          if (std::all_of(values.begin(), values.end(), [](const Rational& x) { return x.is_zero(); })) continue;
          terms[k].descent.add(Rational(1, 2), right);
          CHECK(outside(remainder(task, c, stage, n, h, monomials, terms), next, allowed + width) > 0);
          terms[k].descent = right;
        }
      }
    }
}
