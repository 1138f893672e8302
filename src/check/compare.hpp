// Entry-by-entry judgement with three outcomes, and the negative controls that a claim must refute.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/entry.hpp"
#include "core/grade.hpp"

namespace popgrad {

// refuted: some entry is outside its budget. undecided: none is, but the widest budget exceeds the smallest effect that
// matters, so the check could not have noticed it. verified: neither.
struct Comparison {
  std::size_t entries = 0;
  std::size_t outside = 0;  // entries beyond their budget
  Entry worst;              // largest |difference| / budget
  Entry headline;           // widest budget, among equals the largest |predicted|: what a table shows
  double effect = 0;        // smallest effect that matters
  double widest = 0;        // widest budget among the entries
  Verdict verdict = Verdict::undecided;
};

// Ten per cent of the smallest |predicted| among signal entries; 0 if there is none (then any budget above 0 is too wide).
double default_effect(const std::vector<Entry>& entries);

// Throws HypothesisError on an empty list: nothing compared is nothing shown.
Comparison compare(const std::vector<Entry>& entries, double effect);

// A statement that is false in a known way, put through the same check. `entries` compares the false prediction (or the
// right prediction under a false hypothesis) with the measurement.
struct Control {
  std::string name;     // "sign", "drop -mu_k"
  std::string changes;  // what is made wrong, in words
  std::function<std::vector<Entry>()> entries;
  // By name, the entries that the change concerns. The control has to be refuted among them, and must not be outside the budget
  // elsewhere. Empty: all entries.
  std::function<bool(const std::string& entry)> concerns = nullptr;
};

// Names that contain one of `parts`.
std::function<bool(const std::string&)> named_with(std::vector<std::string> parts);

struct ControlOutcome {
  std::string name;
  std::string changes;
  Comparison comparison;
  bool refuted() const { return comparison.verdict == Verdict::refuted; }
};

}  // namespace popgrad
