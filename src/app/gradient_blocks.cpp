#include "app/gradient_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "numerics/named_blocks.hpp"

namespace popgrad {
namespace {

constexpr double unit = 0x1p-53;

// From = InvariantBlock<S> or BlockSummary<S>.
template <class From>
GradientBlock block_of(const std::string& name, BlockKind kind, const From& from) {
  GradientBlock block;
  block.name = name;
  block.kind = kind;
  if (kind == BlockKind::token_token) {
    block.diag = number_of(from.diag);
    block.off = number_of(from.off);
    block.contrast = difference(block.diag, block.off);
  }
  for (const auto& entry : from.entries) block.entries.push_back(number_of(entry));
  return block;
}

}  // namespace

Number difference(const Number& a, const Number& b) {
  Number result;
  result.value = a.value - b.value;
  if (a.exact && b.exact) {
    result.exact = *a.exact - *b.exact;
    result.value = to_double(*result.exact);
  }
  if (a.formula && b.formula) result.formula = *a.formula - *b.formula;
  if (a.roundoff && b.roundoff)
    result.roundoff = next_above(next_above(*a.roundoff + *b.roundoff) + unit * std::abs(result.value));
  if (a.se && b.se) result.se = *a.se + *b.se;
  if (a.lower && a.upper && b.lower && b.upper) {
    const Interval enclosure = Interval(*a.lower, *a.upper) - Interval(*b.lower, *b.upper);
    result.lower = enclosure.lower();
    result.upper = enclosure.upper();
  }
  return result;
}

bool is_zero(const Number& x) {
  const auto zero = [](const std::optional<double>& part) { return !part || *part == 0; };
  if (x.formula) return is_zero(*x.formula);
  return x.value == 0 && (!x.exact || x.exact->is_zero()) && zero(x.roundoff) && zero(x.lower) && zero(x.upper) &&
         zero(x.se) && zero(x.spread);
}

bool is_zero(const GradientBlock& block) {
  if (block.kind == BlockKind::token_token) return is_zero(block.diag) && is_zero(block.off);
  return std::all_of(block.entries.begin(), block.entries.end(), [](const Number& x) { return is_zero(x); });
}

Number number_of(double x) {
  Number number;
  number.value = x;
  return number;
}

Number number_of(const Rational& x) {
  Number number = number_of(to_double(x));
  number.exact = x;
  return number;
}

Number number_of(const RationalFunction& x) {
  Number number;
  number.formula = x;
  return number;
}

Number number_of(const RunningError& x) {
  Number number = number_of(x.value);
  number.roundoff = x.error;
  return number;
}

Number number_of(const Interval& x) {
  Number number = number_of(x.middle());
  number.lower = x.lower();
  number.upper = x.upper();
  return number;
}

Number number_of(const Moments& moments) {
  Number number = number_of(moments.mean);
  number.se = moments.standard_error();
  number.spread = std::sqrt(moments.variance());
  return number;
}

template <class S>
std::vector<GradientBlock> blocks_of(const InvariantMaps<S>& maps, int map) {
  std::vector<GradientBlock> blocks;
  for_each_block(maps, map, [&](const std::string& name, BlockKind kind, const InvariantBlock<S>& from) {
    blocks.push_back(block_of(name, kind, from));
  });
  return blocks;
}

template <class S>
std::vector<GradientBlock> blocks_of(const std::vector<BlockSummary<S>>& summaries) {
  std::vector<GradientBlock> blocks;
  for (const BlockSummary<S>& from : summaries) blocks.push_back(block_of(from.name, from.kind, from));
  return blocks;
}

std::vector<GradientBlock> blocks_of(const std::vector<BlockMoments>& moments) {
  std::vector<GradientBlock> blocks;
  for (const BlockMoments& from : moments) {
    GradientBlock block;
    block.name = from.name;
    block.kind = from.kind;
    if (from.kind == BlockKind::token_token) {
      block.diag = number_of(from.diag);
      block.off = number_of(from.off);
      block.contrast = number_of(from.contrast);
    }
    for (const Moments& entry : from.entries) block.entries.push_back(number_of(entry));
    blocks.push_back(block);
  }
  return blocks;
}

#define POPGRAD_INSTANTIATE(S)                                                    \
  template std::vector<GradientBlock> blocks_of<S>(const InvariantMaps<S>&, int); \
  template std::vector<GradientBlock> blocks_of<S>(const std::vector<BlockSummary<S>>&);
POPGRAD_INSTANTIATE(double)
POPGRAD_INSTANTIATE(Rational)
POPGRAD_INSTANTIATE(RunningError)
template std::vector<GradientBlock> blocks_of<RationalFunction>(const InvariantMaps<RationalFunction>&, int);
template std::vector<GradientBlock> blocks_of<Interval>(const InvariantMaps<Interval>&, int);
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
