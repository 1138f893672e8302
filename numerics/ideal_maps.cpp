#include "numerics/ideal_model.hpp"
#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

template <class S>
void add(std::vector<S>& sum, const std::vector<S>& terms) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (!is_zero(terms[i])) sum[i] += terms[i];
}

}  // namespace

template <class S>
IdealMaps<S>::IdealMaps(int N, int T) : at{N, T} {
  require(N >= 1, "IdealMaps", "N", "at least 1", std::to_string(N));
  require(T >= 1, "IdealMaps", "T", "at least 1", std::to_string(T));
  const auto M = static_cast<std::size_t>(at.size());
  const auto input = static_cast<std::size_t>(at.input_size());
  wo.assign(static_cast<std::size_t>(N) * M, S(0));
  wk2.assign(M * M, S(0));
  wk1.assign(input * input, S(0));
}

template <class S>
IdealMaps<S>& IdealMaps<S>::operator+=(const IdealMaps& other) {
  require(at.N == other.at.N && at.T == other.at.T, "IdealMaps::operator+=", "other", "the same N and T",
          std::to_string(other.at.N) + ", " + std::to_string(other.at.T));
  add(wo, other.wo);
  add(wk2, other.wk2);
  add(wk1, other.wk1);
  return *this;
}

template <class S>
IdealMaps<S> ideal_memories(int N, int T) {
  IdealMaps<S> maps(N, T);
  const Coordinates at = maps.at;
  for (int k = 0; k < N; ++k) {
    maps.u(k, at.at(Block::E, k)) = S(1);
    maps.k2(at.at(Block::E, k), at.at(Block::R, k)) = S(1);
  }
  for (int t = 1; t < T; ++t) maps.k1(at.at(Block::P, t), at.at(Block::P, t - 1)) = S(1);
  return maps;
}

#define POPGRAD_INSTANTIATE(S)  \
  template struct IdealMaps<S>; \
  template IdealMaps<S> ideal_memories<S>(int, int);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
