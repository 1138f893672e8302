#include "numerics/stage_numbers.hpp"

#include "numerics/orbit_sum.hpp"

namespace popgrad {

std::vector<std::span<double>> stage_numbers(OrbitSums<double>& sums, int stage) {
  if (stage == 1) return {{&sums.ue, 1}, {&sums.ur, 1}};
  if (stage == 2)
    return {{&sums.ee, 1}, {&sums.er, 1}, {&sums.re, 1}, {&sums.rr, 1}, sums.ep,
            sums.es,       sums.pp,       sums.ps,       sums.sp,       sums.ss};
  return {{&sums.first_ee, 1}, sums.first_ep, sums.first_pp};
}

std::size_t count_stage_numbers(int T, int stage) {
  OrbitSums<double> shape(T);
  std::size_t count = 0;
  for (const auto& span : stage_numbers(shape, stage)) count += span.size();
  return count;
}

InvariantMaps<double> maps_of_numbers(const std::vector<double>& list, int N, int T, int stage) {
  OrbitSums<double> sums(T);
  std::size_t i = 0;
  for (const auto& span : stage_numbers(sums, stage))
    for (double& x : span) x = list[i++];
  return averaged(sums, N, T, {stage == 1, stage == 2, stage == 3});
}

std::vector<double> numbers_of_maps(const InvariantMaps<double>& maps, int stage) {
  std::vector<double> list;
  const double N = maps.N;
  const auto add = [&list](const std::vector<double>& entries, double factor) {
    for (const double x : entries) list.push_back(factor * x);
  };
  if (stage == 1) return {N * maps.u(Block::E).diag, N * maps.u(Block::R).diag};
  if (stage == 2) {
    for (const Block query : {Block::E, Block::R})
      for (const Block key : {Block::E, Block::R}) list.push_back(N * maps.k2(query, key).diag);
    for (const Block key : {Block::P, Block::S}) add(maps.k2(Block::E, key).entries, N);
    for (const Block query : {Block::P, Block::S})
      for (const Block key : {Block::P, Block::S}) add(maps.k2(query, key).entries, 1);
    return list;
  }
  list.push_back(N * maps.k1(Block::E, Block::E).diag);
  add(maps.k1(Block::E, Block::P).entries, N);
  add(maps.k1(Block::P, Block::P).entries, 1);
  return list;
}

}  // namespace popgrad
