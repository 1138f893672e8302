#include "tests/oracle/minimal_oracle.hpp"

#include <cmath>
#include <numeric>

namespace popgrad::oracle {
namespace {

// Could (q, o, tau) have produced these tokens? tau counts from 1, as in the definition.
bool consistent(const std::vector<int>& tokens, int q, int o, int tau, bool avoid) {
  const int length = static_cast<int>(tokens.size());
  for (int position = 1; position <= length; ++position) {
    const int token = tokens[static_cast<std::size_t>(position - 1)];
    if (position == tau || position == length) {
      if (token != q) return false;
    } else if (position == tau + 1) {
      if (token != o) return false;
    } else if (avoid && token == q) {
      return false;
    }
  }
  return true;
}

class Enumerator {
 public:
  explicit Enumerator(const MinimalLaw& law) : law_(law), weights_(law.output_weights) {
    if (weights_.empty()) weights_.assign(static_cast<std::size_t>(law.N), 1);
  }

  std::vector<WeightedSequence> run() {
    const int shortest = law_.mixed_lengths ? 4 : law_.T;
    for (length_ = shortest; length_ <= law_.T; ++length_) {
      const double choices = law_.avoid ? law_.N - 1 : law_.N;
      unit_ = 1.0 / (law_.T - shortest + 1) / law_.N / std::accumulate(weights_.begin(), weights_.end(), 0) / (length_ - 2) /
              std::pow(choices, length_ - 3);
      extend();
    }
    return found_;
  }

 private:
  void extend() {
    if (static_cast<int>(tokens_.size()) == length_) return record();
    for (int token = 0; token < law_.N; ++token) {
      tokens_.push_back(token);
      extend();
      tokens_.pop_back();
    }
  }

  void record() {
    for (int o = 0; o < law_.N; ++o) {
      std::int64_t ways = 0;
      for (int q = 0; q < law_.N; ++q)
        for (int tau = 1; tau <= length_ - 2; ++tau)
          if (consistent(tokens_, q, o, tau, law_.avoid)) ways += weights_[static_cast<std::size_t>(o)];
      if (ways > 0) found_.push_back({tokens_, o, ways, static_cast<double>(ways) * unit_});
    }
  }

  MinimalLaw law_;
  std::vector<int> weights_;
  int length_ = 0;
  double unit_ = 0;  // probability of one (q, o, tau, background) with output weight 1
  std::vector<int> tokens_;
  std::vector<WeightedSequence> found_;
};

}  // namespace

std::vector<WeightedSequence> enumerate_minimal(const MinimalLaw& law) { return Enumerator(law).run(); }

}  // namespace popgrad::oracle
