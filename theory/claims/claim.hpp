// What a claim is: a statement, its hypotheses, where it comes from, and how it is checked.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "core/bigram_counts.hpp"
#include "core/minimal_task.hpp"

namespace popgrad {

// What the user fixed; everything left empty is chosen by the claim, at sizes that decide it.
struct ClaimContext {
  std::uint64_t seed = 1;
  double level = 1e-6;  // family-wise, over all entries that one row compares
  BigramCounts corpus;  // the bigram law
  std::optional<int> N, T, d;
  std::optional<Background> background;
  std::optional<Query> query;
  double work = 1;  // multiplies the number of samples
  bool full = false;  // the paper's size, where a claim trains at a reduced one
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct ClosedForm {
  std::string name;  // "(U,E) diag"
  std::string text, latex, mathml;
};

struct Claim {
  std::string id;                       // "T3.step1"
  std::string statement;                // what is claimed, one paragraph
  std::vector<std::string> hypotheses;
  std::string source;                   // paper section, or derivation in docs/theory.md
  std::vector<ClosedForm> closed_forms;
  std::function<std::vector<Row>(const ClaimContext&)> run;
  std::set<std::string> reads;  // which of N, T, d, background, query change what it computes; the user is told of the others
  bool on_request = false;      // takes minutes: run only where it is named
};

// One function a file: theory/claims/<stem>.cpp. registry.cpp lists them.
const std::vector<Claim>& claims();

// Claims whose id matches any of the shell-style patterns (* and ?), in registry order; all if there is no pattern.
// Throws InputError naming a pattern that matches nothing.
std::vector<Claim> select_claims(const std::vector<std::string>& patterns);

}  // namespace popgrad
