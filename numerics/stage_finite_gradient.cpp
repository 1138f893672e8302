#include "numerics/stage_finite_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/residual_blocks.hpp"
#include "numerics/dictionary.hpp"
#include "numerics/minimal_enumeration.hpp"

namespace popgrad {
namespace {

// Inner products of atoms through the maps. Atoms: E, P, R, S in the order of Coordinates; the first N + T are the inputs.
struct Tables {
  Coordinates at;
  Matrix k1;      // (N+T) x (N+T): kappa a^T W_K1 b
  Matrix k2;      // D x D: kappa a^T W_K2 b
  Matrix value;   // N x D: w_U^T W_O2 W_V2 a
  Matrix direct;  // N x D: w_U^T a
};

Tables tables_of(const FiniteModel& model) {
  const Matrix atoms = right_dictionary(model, Map::wk2), inputs = right_dictionary(model, Map::wk1);
  return {{model.N(), model.T()},
          model.score_scale * inputs * model.trained.wk1 * inputs.transpose(),
          model.score_scale * atoms * model.trained.wk2 * atoms.transpose(),
          model.frozen.out * model.trained.wo2 * model.frozen.wv2 * atoms.transpose(),
          model.frozen.out * atoms.transpose()};
}

// Coefficients of the outer products of atoms: N x D, D x D or (N+T) x (N+T).
struct Coefficients {
  Matrix sum;
  Coefficients& operator+=(const Coefficients& other) {
    sum += other.sum;
    return *this;
  }
};

void softmax_in_place(double* scores, int n) {
  const double top = *std::max_element(scores, scores + n);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += scores[i] = std::exp(scores[i] - top);
  for (int i = 0; i < n; ++i) scores[i] /= sum;
}

// Turns d/d(attention) into d/d(score) for one row.
void through_softmax(const double* attention, double* gradient, int n) {
  double mean = 0;
  for (int i = 0; i < n; ++i) mean += attention[i] * gradient[i];
  for (int i = 0; i < n; ++i) gradient[i] = attention[i] * (gradient[i] - mean);
}

// One sequence. A position s stands for two atoms twice: E_{z_s} and P_s directly, R_{z_s} and S_s where layer 1 attends to
// it.
class Pass {
 public:
  Pass(const Tables& tables, const Example& example, Map map, double weight, Matrix& coefficients)
      : tables_(tables),
        tokens_(example.tokens),
        L_(static_cast<int>(example.tokens.size())),
        target_(example.targets[0].token),
        map_(map),
        weight_(weight),
        into_(coefficients) {
    forward();
    if (map_ == Map::wo2)
      add_output();
    else
      add_keys();
  }

 private:
  int e(int s) const { return tables_.at.at(Block::E, tokens_[static_cast<std::size_t>(s)]); }
  int p(int s) const { return tables_.at.at(Block::P, s); }
  int r(int s) const { return tables_.at.at(Block::R, tokens_[static_cast<std::size_t>(s)]); }
  int s(int position) const { return tables_.at.at(Block::S, position); }

  // Rows a of `table` at the query: what the last position's x1 reads of column c.
  double at_query(const Matrix& table, int c) const {
    double sum = table(e(L_ - 1), c) + table(p(L_ - 1), c);
    for (int u = 0; u < L_; ++u) sum += a1_(L_ - 1, u) * (table(r(u), c) + table(s(u), c));
    return sum;
  }

  void forward() {
    a1_ = Matrix::Zero(L_, L_);
    for (int t = 0; t < L_; ++t) {
      for (int u = 0; u <= t; ++u)
        a1_(t, u) = tables_.k1(e(t), e(u)) + tables_.k1(e(t), p(u)) + tables_.k1(p(t), e(u)) + tables_.k1(p(t), p(u));
      softmax_in_place(&a1_(t, 0), t + 1);
    }
    query_.resize(L_);
    query_remapped_.resize(L_);
    for (int u = 0; u < L_; ++u) {
      query_(u) = at_query(tables_.k2, e(u)) + at_query(tables_.k2, p(u));
      query_remapped_(u) = at_query(tables_.k2, r(u)) + at_query(tables_.k2, s(u));
    }
    a2_ = query_ + a1_ * query_remapped_;
    softmax_in_place(a2_.data(), L_);
    mass_ = a1_.transpose() * a2_;  // of the remapped atoms in the value
    residual_.resize(tables_.at.N);
    for (int k = 0; k < tables_.at.N; ++k) {
      double logit = tables_.direct(k, e(L_ - 1)) + tables_.direct(k, p(L_ - 1));
      for (int u = 0; u < L_; ++u)
        logit += a1_(L_ - 1, u) * (tables_.direct(k, r(u)) + tables_.direct(k, s(u))) +
                 a2_(u) * (tables_.value(k, e(u)) + tables_.value(k, p(u))) +
                 mass_(u) * (tables_.value(k, r(u)) + tables_.value(k, s(u)));
      residual_(k) = logit;
    }
    softmax_in_place(residual_.data(), tables_.at.N);
    residual_ = -residual_;
    residual_(target_) += 1;  // e_y - p_hat
  }

  void add_output() {
    for (int u = 0; u < L_; ++u)
      for (int k = 0; k < tables_.at.N; ++k) {
        const double direct = weight_ * residual_(k) * a2_(u), remapped = weight_ * residual_(k) * mass_(u);
        into_(k, e(u)) += direct;
        into_(k, p(u)) += direct;
        into_(k, r(u)) += remapped;
        into_(k, s(u)) += remapped;
      }
  }

  // -d loss / d(score of layer 2), and with it the coefficients of W_K2 or W_K1.
  void add_keys() {
    Vector value(L_), value_remapped(L_);
    for (int u = 0; u < L_; ++u) {
      value(u) = residual_.dot(tables_.value.col(e(u)) + tables_.value.col(p(u)));
      value_remapped(u) = residual_.dot(tables_.value.col(r(u)) + tables_.value.col(s(u)));
    }
    Vector score = value + a1_ * value_remapped;
    through_softmax(a2_.data(), score.data(), L_);
    const Vector score_remapped = a1_.transpose() * score;  // of the remapped atoms among the keys
    if (map_ == Map::wk2)
      add_second(score, score_remapped);
    else
      add_first(value_remapped, score, score_remapped);
  }

  void add_second(const Vector& score, const Vector& score_remapped) {
    const auto add_row = [&](int query, double size) {
      for (int u = 0; u < L_; ++u) {
        into_(query, e(u)) += size * score(u);
        into_(query, p(u)) += size * score(u);
        into_(query, r(u)) += size * score_remapped(u);
        into_(query, s(u)) += size * score_remapped(u);
      }
    };
    add_row(e(L_ - 1), weight_);
    add_row(p(L_ - 1), weight_);
    for (int u = 0; u < L_; ++u) {
      add_row(r(u), weight_ * a1_(L_ - 1, u));
      add_row(s(u), weight_ * a1_(L_ - 1, u));
    }
  }

  void add_first(const Vector& value_remapped, const Vector& score, const Vector& score_remapped) {
    const auto read_by_query = [&](int atom) {  // what the keys' scores change by when the query holds more of this atom
      double sum = 0;
      for (int u = 0; u < L_; ++u)
        sum += score(u) * (tables_.k2(atom, e(u)) + tables_.k2(atom, p(u))) +
               score_remapped(u) * (tables_.k2(atom, r(u)) + tables_.k2(atom, s(u)));
      return sum;
    };
    Vector gradient(L_);
    for (int t = 0; t < L_; ++t) {
      for (int u = 0; u <= t; ++u) gradient(u) = a2_(t) * value_remapped(u) + score(t) * query_remapped_(u);
      if (t == L_ - 1)
        for (int u = 0; u < L_; ++u)
          gradient(u) +=
              read_by_query(r(u)) + read_by_query(s(u)) + residual_.dot(tables_.direct.col(r(u)) + tables_.direct.col(s(u)));
      through_softmax(&a1_(t, 0), gradient.data(), t + 1);
      for (int u = 0; u <= t; ++u)
        for (const int query : {e(t), p(t)})
          for (const int key : {e(u), p(u)}) into_(query, key) += weight_ * gradient(u);
    }
  }

  const Tables& tables_;
  const std::vector<int>& tokens_;
  const int L_, target_;
  const Map map_;
  const double weight_;
  Matrix& into_;
  Matrix a1_;                      // L x L
  Vector query_, query_remapped_;  // L: the query against E_{z_u} + P_u, and R_{z_u} + S_u
  Vector a2_, mass_, residual_;    // L, L, N
};

}  // namespace

Matrix finite_descent(const FiniteModel& model, const MinimalTask& task, Map map) {
  require(model.N() == task.N && model.T() == task.T, "finite_descent", "model", "of the task's N and T",
          "N=" + std::to_string(model.N()) + " T=" + std::to_string(model.T()));
  require(!model.feed_forward && map != Map::wf, "finite_descent", "model, map", "no feed-forward layer", "one");
  const MinimalEnumeration all(task);
  const Tables tables = tables_of(model);
  const Matrix left = left_dictionary(model, map), right = right_dictionary(model, map);
  const Coefficients total = ordered_sum(
      all.size(), 64, Coefficients{Matrix::Zero(left.rows(), right.rows())}, [&](std::int64_t index, Coefficients& into) {
        Example example;
        std::int64_t numerator = 0;
        all.build(index, example, numerator);
        if (numerator == 0) return;
        double weight = static_cast<double>(numerator) * (map == Map::wo2 ? 1 : model.score_scale);
        for (const std::int64_t factor : all.denominator_factors(static_cast<int>(example.tokens.size())))
          weight /= static_cast<double>(factor);
        Pass(tables, example, map, weight, into.sum);
      });
  return left.transpose() * total.sum * right;
}

}  // namespace popgrad
