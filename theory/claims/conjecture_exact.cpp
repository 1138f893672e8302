// Equalities and inequalities: exact at every size, and what the grid could not tell.
#include <algorithm>
#include <sstream>

#include "check/exact_entry.hpp"
#include "core/errors.hpp"
#include "theory/claims/conjecture.hpp"

namespace popgrad {
namespace {

using Answers = std::vector<SizeAnswer>;
using Wrong = std::function<Rational(const SizeAnswer&)>;

constexpr const char* extend = "extend the grid: more values of the symbols of the formula";

std::vector<Entry> equalities(const Answers& answers, const Wrong& predicted) {
  std::vector<Entry> list;
  for (const SizeAnswer& at : answers) {
    const Rational value = predicted(at);
    list.push_back(exact_entry(at.size.describe(), value, at.measured, !value.is_zero()));
  }
  return list;
}

// The formula with x replaced, at the sizes where it then has a value.
std::vector<Entry> replaced(const Conjecture& conjecture, const Answers& answers, const std::string& symbol,
                            const std::function<int(int)>& change) {
  std::vector<Entry> list;
  for (const SizeAnswer& at : answers) {
    Bindings bindings = at.size.bindings();
    bindings.insert_or_assign(symbol, Value(change(*at.size.of(symbol))));
    try {
      const Rational value = conjecture.formula.evaluate_exact(bindings);
      list.push_back(exact_entry(at.size.describe(), value, at.measured, !value.is_zero()));
    } catch (const HypothesisError&) {
      continue;
    }
  }
  return list;
}

void control_symbols(const Conjecture& conjecture, const Answers& answers, std::vector<Control>& controls) {
  for (const std::string& symbol : conjecture.formula.symbols()) {
    const int first = *answers.front().size.of(symbol);
    const auto add = [&](const std::string& name, const std::string& changes, const std::function<int(int)>& change) {
      const std::vector<Entry> wrong = replaced(conjecture, answers, symbol, change);
      if (!wrong.empty()) controls.push_back({name, changes, [wrong] { return wrong; }});
    };
    add(symbol + " + 1", "the formula at the next " + symbol, [](int x) { return x + 1; });
    add(symbol + " = " + std::to_string(first), symbol + " in the formula fixed at its first value",
        [first](int) { return first; });
  }
}

std::string shown_briefly(const Rational& x, std::size_t longest = 18) {
  const std::string text = to_string(x);
  if (text.size() <= longest) return text;
  std::ostringstream decimal;
  decimal << to_double(x);
  return decimal.str();
}

// The smallest |value| that is not zero; zero if all are.
Rational nearest(const Answers& answers, const Wrong& value) {
  Rational smallest = 0;
  for (const SizeAnswer& at : answers) {
    const Rational size = abs(value(at));
    if (!size.is_zero() && (smallest.is_zero() || size < smallest)) smallest = size;
  }
  return smallest;
}

// The size closest to the bound, and how far it is: what an inequality that holds everywhere is worth.
std::string closest(const Answers& answers) {
  const auto distance = [](const SizeAnswer& at) { return Rational(abs(Rational(at.measured - at.predicted))); };
  const auto at = std::min_element(answers.begin(), answers.end(), [&](const SizeAnswer& a, const SizeAnswer& b) {
    return distance(a) < distance(b);
  });
  return "closest to its bound at " + at->size.describe() + ": the quantity is " + shown_briefly(at->measured) + ", the slack " +
         shown_briefly(distance(*at));
}

std::string at_all(const Answers& answers) {
  return "holds at " +
         (answers.size() == 1 ? std::string("the one size") : "all " + std::to_string(answers.size()) + " sizes") +
         " of the grid, and says nothing about others";
}

std::string first_counterexample(const Conjecture& conjecture, const Answers& answers) {
  const auto fails = std::find_if(answers.begin(), answers.end(), [](const SizeAnswer& a) { return !a.holds; });
  const auto count = std::count_if(answers.begin(), answers.end(), [](const SizeAnswer& a) { return !a.holds; });
  return "fails at " + std::to_string(count) + " of " + std::to_string(answers.size()) +
         " sizes; first counterexample: " + fails->size.describe() + ", where " + conjecture.meter.quantity().name + " = " +
         shown_briefly(fails->measured, 60) + ", not " + symbol(conjecture.relation) + " " +
         shown_briefly(fails->predicted, 60);
}

Row finished(const Conjecture& conjecture, const Answers& answers, Row row) {
  if (row.verdict == Verdict::verified) row.reason = at_all(answers);
  if (row.verdict == Verdict::refuted) {
    row.reason = first_counterexample(conjecture, answers);
    row.next = "the statement is false as it stands; the sizes at which it holds may suggest another";
  }
  return row;
}

}  // namespace

Row judge_equality(const Conjecture& conjecture, const Answers& answers) {
  const Wrong right = [](const SizeAnswer& at) { return at.predicted; };
  const bool zero = std::all_of(answers.begin(), answers.end(), [](const SizeAnswer& at) { return at.predicted.is_zero(); });
  const auto with = [&](const Wrong& wrong) { return [&answers, wrong] { return equalities(answers, wrong); }; };
  const auto scaled = [&](const Rational& factor) {
    return with([factor](const SizeAnswer& at) { return Rational(at.predicted * factor); });
  };
  std::vector<Control> controls;
  if (zero) {
    // Factors of zero are zero: small numbers of either sign instead.
    for (const auto& [name, value] : {std::pair{"1/(N T)", 1}, {"-1/(N T)", -1}})
      controls.push_back({name, "not zero",
                          with([value = value](const SizeAnswer& at) { return Rational(value, at.size.N * at.size.T); })});
    for (const auto& [name, value] : {std::pair{"10^-9", 1}, {"-10^-9", -1}})
      controls.push_back(
          {name, "not zero", with([value = value](const SizeAnswer&) { return Rational(value, 1'000'000'000); })});
  } else {
    controls = {{"sign", "the opposite sign", scaled(-1)},
                {"factor 1.1", "ten per cent too large", scaled(Rational(11, 10))},
                {"factor 0.9", "ten per cent too small", scaled(Rational(9, 10))},
                {"factor 2", "twice as large", scaled(2)}};
    control_symbols(conjecture, answers, controls);
  }
  const std::vector<Entry> list = equalities(answers, right);
  return finished(conjecture, answers,
                  judge("conjecture " + conjecture.name, "", conjecture.configuration(), Grade::exact, list,
                        default_effect(list), controls, extend));
}

Row judge_inequality(const Conjecture& conjecture, const Answers& answers) {
  const bool upwards = conjecture.relation == Relation::above || conjecture.relation == Relation::at_least;
  const bool strict = conjecture.relation == Relation::above || conjecture.relation == Relation::below;
  const auto holds = [=](const Rational& measured, const Rational& bound) {
    const Rational distance = upwards ? Rational(measured - bound) : Rational(bound - measured);
    return strict ? distance > 0 : distance >= 0;
  };
  // expected(i): whether the inequality is stated at the i-th size; found: whether it holds there.
  const auto entries = [&](const std::function<bool(std::size_t)>& expected,
                           const std::function<bool(const SizeAnswer&)>& found) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < answers.size(); ++i)
      list.push_back(exact_entry(answers[i].size.describe() + " (" + shown_briefly(answers[i].measured) + " " +
                                     symbol(conjecture.relation) + " " + shown_briefly(answers[i].predicted) + ")",
                                 Rational(expected(i) ? 1 : 0), Rational(found(answers[i]) ? 1 : 0), true));
    return list;
  };
  const auto everywhere = [](std::size_t) { return true; };
  const auto right = [&](const SizeAnswer& at) { return holds(at.measured, at.predicted); };
  const Rational distance = nearest(answers, [](const SizeAnswer& at) { return Rational(at.measured - at.predicted); });
  const Rational tenth = nearest(answers, [](const SizeAnswer& at) { return at.predicted; }) / 10;
  const Rational beyond = (upwards ? 1 : -1) * (distance.is_zero() ? tenth : Rational(distance * 11 / 10));
  // Implied wherever the row holds: they show that the check can fail, not that the bound is near. A control that changes a hypothesis
  // (another background, hand-off or size) or tightens the bound may well hold, too, when the inequality is true.
  const Control mirrored = {
      "negation: mirrored",
      "the quantity on the other side of the bound: for the bound 0 the gradient instead of the descent direction", [&] {
        return entries(everywhere,
                       [&](const SizeAnswer& at) { return holds(2 * at.predicted - at.measured, at.predicted); });
      }};
  const Control sign = {
      "sign", "the gradient instead of the descent direction",
      [&] { return entries(everywhere, [&](const SizeAnswer& at) { return holds(-at.measured, at.predicted); }); }};
  const std::vector<Control> controls = {
      {"negation: everywhere", "the inequality is false at every size",
       [&] { return entries([](std::size_t) { return false; }, right); }},
      distance.is_zero() ? sign : mirrored,  // on the bound everywhere there is no other side
      {"negation: the first size", "false at the first size alone",
       [&] { return entries([](std::size_t i) { return i > 0; }, right); }},
      {"negation: bound moved", "the bound just beyond the closest size", [&] {
         return entries(everywhere, [&](const SizeAnswer& at) { return holds(at.measured, at.predicted + beyond); });
       }}};
  Row row = finished(
      conjecture, answers,
      judge("conjecture " + conjecture.name, "", conjecture.configuration(), Grade::exact, entries(everywhere, right), 1,
            controls, "extend the grid: at every size the quantity and the bound are 0"));
  if (row.verdict == Verdict::verified) row.reason += "; " + closest(answers);
  return row;
}

}  // namespace popgrad
