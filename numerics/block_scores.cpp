#include "numerics/block_scores.hpp"

#include <algorithm>
#include <cmath>

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Mean square about the mean, of these values and of `zeros` more that are zero.
double spread(const std::vector<double>& values, int zeros = 0) {
  double sum = 0, squares = 0;
  const double count = static_cast<double>(values.size()) + zeros;
  for (const double x : values) sum += x;
  const double mean = sum / count;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return (squares + zeros * mean * mean) / count;
}

void softmax(std::vector<double>& scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& x : scores) sum += x = std::exp(x - top);
  for (double& x : scores) x /= sum;
}

}  // namespace

double& BlockScores::square(const MapBlock& block) {
  const std::vector<MapBlock>& blocks = acting_blocks();
  return squares_[static_cast<std::size_t>(std::find(blocks.begin(), blocks.end(), block) - blocks.begin())];
}

const std::vector<double>& BlockScores::mean_squares(const Orbit& orbit) {
  length_ = static_cast<int>(orbit.token.size());
  squares_.assign(acting_blocks().size(), 0.0);
  first_layer(orbit);
  second_layer(orbit);
  logits(orbit);
  return squares_;
}

void BlockScores::first_layer(const Orbit& orbit) {
  const int L = length_, T = maps_.T;
  const double same = maps_.k1(Block::E, Block::E).contrast();
  const std::vector<double>&by_key = maps_.k1(Block::E, Block::P).entries, &by_pair = maps_.k1(Block::P, Block::P).entries;
  double &ee = square({3, Block::E, Block::E}), &ep = square({3, Block::E, Block::P}), &pp = square({3, Block::P, Block::P});
  attention1_.assign(at(L * L), 0.0);
  for (int t = 0; t < L; ++t) {
    std::vector<double> of_ee, of_ep, of_pp, all;
    for (int s = 0; s <= t; ++s) {
      of_ee.push_back(orbit.token[at(s)] == orbit.token[at(t)] ? same : 0.0);
      of_ep.push_back(by_key[at(s)]);
      of_pp.push_back(by_pair[at(t * T + s)]);
      all.push_back(of_ee.back() + of_ep.back() + of_pp.back());
    }
    if (t > 0 && t < L - 1) {  // 2 <= t <= T'-1 counted from 1
      ee += spread(of_ee) / (L - 2);
      ep += spread(of_ep) / (L - 2);
      pp += spread(of_pp) / (L - 2);
    }
    softmax(all);
    std::copy(all.begin(), all.end(), attention1_.begin() + t * L);
  }
}

void BlockScores::second_layer(const Orbit& orbit) {
  const int L = length_, T = maps_.T, last = L - 1;
  const auto token = [&](int s) { return at(orbit.token[at(s)]); };
  std::vector<double> mass(at(orbit.classes), 0.0);
  for (int r = 0; r < L; ++r) mass[token(r)] += a1(last, r);
  attention2_.assign(at(L), 0.0);
  for (const MapBlock& block : acting_blocks()) {
    if (block.stage != 2) continue;
    const InvariantBlock<double>& values = maps_.k2(block.query, block.key);
    // The query's score against each token, or each position: token queries of unit mass share one number a position.
    std::vector<double> query(is_token(block.key) ? at(orbit.classes) : at(L), 0.0);
    if (is_token(block.key)) {
      if (block.query == Block::E)
        query[token(last)] = values.contrast();
      else
        for (std::size_t c = 0; c < mass.size(); ++c) query[c] = values.contrast() * mass[c];
    } else if (is_token(block.query)) {
      std::copy_n(values.entries.begin(), L, query.begin());
    } else if (block.query == Block::P) {
      std::copy_n(values.entries.begin() + last * T, L, query.begin());
    } else {
      for (int q = 0; q < L; ++q)
        for (int s = 0; s < L; ++s) query[at(s)] += a1(last, q) * values.entries[at(q * T + s)];
    }
    // E and P of the key are its own; R and S are what layer 1 wrote there.
    std::vector<double> scores(at(L), 0.0);
    const auto of = [&](int s) { return is_token(block.key) ? query[token(s)] : query[at(s)]; };
    for (int s = 0; s < L; ++s)
      if (block.key == Block::E || block.key == Block::P)
        scores[at(s)] = of(s);
      else
        for (int r = 0; r <= s; ++r) scores[at(s)] += a1(s, r) * of(r);
    square(block) = spread(scores);
    for (int s = 0; s < L; ++s) attention2_[at(s)] += scores[at(s)];
  }
  softmax(attention2_);
}

void BlockScores::logits(const Orbit& orbit) {
  const int L = length_;
  std::vector<double> own(at(orbit.classes), 0.0), remapped = own;
  for (int s = 0; s < L; ++s) {
    own[at(orbit.token[at(s)])] += attention2_[at(s)] * maps_.u(Block::E).contrast();
    for (int r = 0; r <= s; ++r)
      remapped[at(orbit.token[at(r)])] += attention2_[at(s)] * a1(s, r) * maps_.u(Block::R).contrast();
  }
  square({1, Block::E, Block::E}) = spread(own, maps_.N - orbit.classes);
  square({1, Block::E, Block::R}) = spread(remapped, maps_.N - orbit.classes);
}

}  // namespace popgrad
