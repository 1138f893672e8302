// L2.filter: at W = 0 with uniform labels the noise cancels from the gradient; what stays when a hypothesis fails.
#include <algorithm>
#include <functional>

#include "core/philox.hpp"
#include "core/series.hpp"
#include "numerics/law_gradient.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/lemma2.hpp"

namespace popgrad {
namespace {

using Table = std::vector<Rational>;  // row-major
using Jet = PowerSeries<Rational, 1>;

// x = s(y) + n, everything a small random rational. N labels, m noise values, dimensions d_in and d_out.
struct Setting {
  int N = 4, m = 3, d_in = 3, d_out = 5;
  std::vector<int> labels, noise_weights;
  Table signal, noise, w_u, v;  // N x d_in, m x d_in, N x d_out, d_out x d_in

  Rational p(int k) const { return fraction(labels, k); }
  Rational r(int j) const { return fraction(noise_weights, j); }
  Rational mean(const Table& table, const std::vector<int>& weights, int i) const {
    Rational sum(0);
    for (int row = 0; row < static_cast<int>(weights.size()); ++row)
      sum += fraction(weights, row) * table[static_cast<std::size_t>(row * d_in + i)];
    return sum;
  }
  static Rational fraction(const std::vector<int>& weights, int i) {
    int total = 0;
    for (const int w : weights) total += w;
    return Rational(weights[static_cast<std::size_t>(i)]) / total;
  }
};

Table random_table(int size, std::uint64_t seed, std::uint64_t which) {
  Stream stream(seed, Purpose::direction, which);
  Table table;
  for (int i = 0; i < size; ++i) {
    const Rational numerator(static_cast<int>(stream.below(13)) - 6);
    table.push_back((numerator.is_zero() ? Rational(1) : numerator) / static_cast<int>(2 + stream.below(3)));
  }
  return table;
}

Setting random_example(const ClaimContext& context) {
  Setting e;
  e.N = std::min(context.N.value_or(e.N), 32);
  e.labels.assign(static_cast<std::size_t>(e.N), 1);
  e.noise_weights = {1, 2, 4};
  e.signal = random_table(e.N * e.d_in, context.seed, 21);
  e.noise = random_table(e.m * e.d_in, context.seed, 22);
  e.w_u = random_table(e.N * e.d_out, context.seed, 23);
  e.v = random_table(e.d_out * e.d_in, context.seed, 24);
  return e;
}

std::vector<int> weighted_labels(int N) {
  std::vector<int> weights;
  for (int k = 1; k <= N; ++k) weights.push_back(k);
  return weights;
}

Setting centred(Setting e) {
  for (int i = 0; i < e.d_in; ++i) {
    const Rational mean = e.mean(e.noise, e.noise_weights, i);
    for (int j = 0; j < e.m; ++j) e.noise[static_cast<std::size_t>(j * e.d_in + i)] -= mean;
  }
  return e;
}

Setting doubled(Setting e) {
  for (Rational& n : e.noise) n *= 2;
  return e;
}

Table without_noise(const Setting& e) { return Table(e.noise.size(), Rational(0)); }

template <class S>
std::vector<S> lift(const Table& table) {
  return {table.begin(), table.end()};
}

// Gradient at W = 0 (S rational) or at W = epsilon V (S a series in epsilon), d_out x d_in.
template <class S>
std::vector<S> gradient(const Setting& e, const Table& noise) {
  const FiniteLaw<S> law =
      signal_plus_noise<S>(e.labels, lift<S>(e.signal), e.noise_weights, lift<S>(noise), e.d_in, e.d_out);
  LawWeights<S> weights{lift<S>(e.w_u), std::vector<S>(static_cast<std::size_t>(e.d_out * e.d_in), S(0))};
  if constexpr (std::is_same_v<S, Jet>)
    for (std::size_t i = 0; i < weights.w.size(); ++i) weights.w[i] = Jet::monomial(e.v[i], 1);
  return law_gradient(law, weights);
}

template <class S>
std::vector<S> difference(const std::vector<S>& a, const std::vector<S>& b) {
  std::vector<S> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

Table first_order(const std::vector<Jet>& series) {
  Table result;
  for (const Jet& x : series) result.push_back(x[1]);
  return result;
}

using Coordinate = std::function<Rational(int k, int i)>;  // of the vector that multiplies w_U(k)

std::vector<Entry> entries(const Setting& e, const Table& measured, const Coordinate& v) {
  std::vector<Entry> list;
  for (int row = 0; row < e.d_out; ++row)
    for (int i = 0; i < e.d_in; ++i) {
      Rational predicted(0);
      for (int k = 0; k < e.N; ++k) predicted += e.w_u[static_cast<std::size_t>(k * e.d_out + row)] * v(k, i);
      list.push_back(exact_entry("[" + std::to_string(row + 1) + "," + std::to_string(i + 1) + "]", predicted,
                                 measured[static_cast<std::size_t>(row * e.d_in + i)], true));
    }
  return list;
}

std::string describe(const Setting& e, const std::string& rest) {
  return "N=" + std::to_string(e.N) + " d_in=" + std::to_string(e.d_in) + " d_out=" + std::to_string(e.d_out) + " " + rest;
}

Rational signal_at(const Setting& e, int k, int i) { return e.signal[static_cast<std::size_t>(k * e.d_in + i)]; }

// Uniform labels, W = 0: -(1/N) sum_k w_U(k)(s(k) - sbar)^T, whatever the noise.
Row filter(const Setting& e) {
  const Table measured = gradient<Rational>(e, e.noise);
  const Formula form = lemma2_filter();
  const Coordinate right = [&](int k, int i) {
    return form.evaluate_exact({{"N", e.N}, {"s_k", signal_at(e, k, i)}, {"sbar", e.mean(e.signal, e.labels, i)}});
  };
  const auto with = [&](const Coordinate& wrong) { return [&, wrong] { return entries(e, measured, wrong); }; };
  Setting uneven = e;
  uneven.labels = weighted_labels(e.N);
  // n whose mean grows with the label: the same law as a signal that moved by k times a noise value.
  Setting dependent = e;
  for (int k = 0; k < e.N; ++k)
    for (int i = 0; i < e.d_in; ++i)
      dependent.signal[static_cast<std::size_t>(k * e.d_in + i)] += k * e.noise[static_cast<std::size_t>(i)];
  const std::vector<Control> controls = {
      {"sign", "descent instead of ascent", with([&](int k, int i) { return Rational(-right(k, i)); })},
      {"factor 1.1", "every coefficient ten per cent too large", with([&](int k, int i) { return Rational(right(k, i) * 11 / 10); })},
      {"sbar dropped", "signals not centred", with([&](int k, int i) { return Rational(-signal_at(e, k, i) / e.N); })},
      {"noise kept", "mean noise added to the signal of one label", with([&](int k, int i) {
         return Rational(right(k, i) - (k == 0 ? e.mean(e.noise, e.noise_weights, i) / e.N : Rational(0)));
       })},
      {"noise depends on y", "the hypothesis of independence: the mean of n grows with the label",
       [&] { return entries(e, gradient<Rational>(dependent, e.noise), right); }},
      {"labels not uniform", "the hypothesis: P(y = k) proportional to k",
       [&] { return entries(e, gradient<Rational>(uneven, e.noise), right); }}};
  const std::vector<Entry> list = entries(e, measured, right);
  return judge("L2.filter", "", describe(e, "uniform labels W=0"), Grade::exact, list, default_effect(list), controls);
}

// Other labels, W = 0: sum_k (1/N - p_k) w_U(k) E[n]^T stays.
Row other_labels(Setting e) {
  const Setting uniform = e;
  e.labels = weighted_labels(e.N);
  const auto stays = [](const Setting& x) { return difference(gradient<Rational>(x, x.noise), gradient<Rational>(x, without_noise(x))); };
  const Table measured = stays(e);
  const Formula form = lemma2_labels_residue();
  const Coordinate right = [&](int k, int i) {
    return form.evaluate_exact({{"N", e.N}, {"p_k", e.p(k)}, {"nbar", e.mean(e.noise, e.noise_weights, i)}});
  };
  const auto with = [&](const Coordinate& wrong) { return [&, wrong] { return entries(e, measured, wrong); }; };
  const std::vector<Control> controls = {
      {"filtered", "no noise in the gradient, as with uniform labels", with([](int, int) { return Rational(0); })},
      {"sign", "descent instead of ascent", with([&](int k, int i) { return Rational(-right(k, i)); })},
      {"1/N dropped", "-p_k instead of 1/N - p_k",
       with([&](int k, int i) { return Rational(-e.p(k) * e.mean(e.noise, e.noise_weights, i)); })},
      {"noise of mean zero", "the hypothesis E n != 0: centred noise is filtered under any labels",
       [&] { return entries(e, stays(centred(e)), right); }},
      {"labels uniform", "the hypothesis that labels are not uniform", [&] { return entries(e, stays(uniform), right); }}};
  std::vector<Entry> list = entries(e, measured, right);
  // The whole gradient, of which the noise is a part.
  const Formula whole = lemma2_labels();
  for (Entry& entry : entries(e, gradient<Rational>(e, e.noise), [&](int k, int i) {
         return whole.evaluate_exact({{"N", e.N}, {"p_k", e.p(k)}, {"s_k", signal_at(e, k, i)},
                                      {"sbar", e.mean(e.signal, e.labels, i)}, {"nbar", e.mean(e.noise, e.noise_weights, i)}});
       }))
    list.push_back(std::move(entry));
  return judge("L2.filter", "fails: other labels", describe(e, "P(y=k)~k W=0"), Grade::exact, list, default_effect(list), controls);
}

// W = epsilon V, uniform labels: to first order (epsilon/N) sum_k w_U(k)(m_k - mbar)^T stays, even of centred noise.
Row other_weights(const Setting& e, const std::string& noise) {
  const auto stays = [](const Setting& x) {
    return first_order(difference(gradient<Jet>(x, x.noise), gradient<Jet>(x, without_noise(x))));
  };
  const Table measured = stays(e);
  // m_k = (E[n n^T] + E[s] E[n]^T + E[n] E[s]^T) V^T w_U(k), coordinate i; `second` = false leaves E[n n^T] out.
  const auto moment = [&](int i, int j, bool second) {
    Rational sum(0);
    for (int a = 0; second && a < e.m; ++a)
      sum += e.r(a) * e.noise[static_cast<std::size_t>(a * e.d_in + i)] * e.noise[static_cast<std::size_t>(a * e.d_in + j)];
    return Rational(sum + e.mean(e.signal, e.labels, i) * e.mean(e.noise, e.noise_weights, j) +
                    e.mean(e.noise, e.noise_weights, i) * e.mean(e.signal, e.labels, j));
  };
  const auto m = [&](int k, int i, bool second) {
    Rational sum(0);
    for (int j = 0; j < e.d_in; ++j) {
      Rational read(0);
      for (int row = 0; row < e.d_out; ++row)
        read += e.w_u[static_cast<std::size_t>(k * e.d_out + row)] * e.v[static_cast<std::size_t>(row * e.d_in + j)];
      sum += moment(i, j, second) * read;
    }
    return sum;
  };
  const Formula form = lemma2_weight_residue();
  const auto predicted = [&](int k, int i, bool second, bool centre) {
    Rational mbar(0);
    for (int l = 0; centre && l < e.N; ++l) mbar += m(l, i, second) / e.N;
    return form.evaluate_exact({{"N", e.N}, {"epsilon", 1}, {"m_k", m(k, i, second)}, {"mbar", mbar}});
  };
  const Coordinate right = [&](int k, int i) { return predicted(k, i, true, true); };
  const auto with = [&](const Coordinate& wrong) { return [&, wrong] { return entries(e, measured, wrong); }; };
  const std::vector<Control> controls = {
      {"filtered", "no noise in the gradient, as at W = 0", with([](int, int) { return Rational(0); })},
      {"sign", "descent instead of ascent", with([&](int k, int i) { return Rational(-right(k, i)); })},
      {"factor 1.1", "every coefficient ten per cent too large", with([&](int k, int i) { return Rational(right(k, i) * 11 / 10); })},
      {"means only", "the second moment of the noise left out", with([&](int k, int i) { return predicted(k, i, false, true); })},
      {"not centred over k", "the softmax normalization left out", with([&](int k, int i) { return predicted(k, i, true, false); })},
      {"another noise", "the hypothesis: noise of twice the size", [&] { return entries(e, stays(doubled(e)), right); }}};
  const std::vector<Entry> list = entries(e, measured, right);
  return judge("L2.filter", "fails: W = eps V", describe(e, noise + ", order eps"), Grade::exact, list, default_effect(list), controls);
}

std::vector<Row> run(const ClaimContext& context) {
  const Setting e = random_example(context);
  return {timed([&] { return filter(e); }), timed([&] { return other_labels(e); }), timed([&] { return other_weights(e, "any noise"); }),
          timed([&] {
            // Mean-zero noise is not filtered either once W is not zero.
            return other_weights(centred(e), "noise of mean 0");
          })};
}

}  // namespace

Claim claim_l2_filter() {
  return {"L2.filter",
          "x = s(y) + n with n independent of y: at W = 0 with uniform labels the gradient is -(1/N) sum_k w_U(k)(s(k) - sbar)^T, and the "
          "law of n cancels exactly. With other labels sum_k (1/N - p_k) w_U(k) E[n]^T stays; at W = eps V the second moment of the "
          "noise stays at order eps.",
          {"n independent of y", "uniform labels and W = 0 (the first part)"},
          "Lemma 2 of the paper and its discussion; docs/theory.md, section 4",
          closed_forms("L2.filter"),
          run,
          {"N"}};
}

}  // namespace popgrad
