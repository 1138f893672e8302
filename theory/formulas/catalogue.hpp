// Every closed form with the claim that it belongs to, as `popgrad claims` lists them.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

struct CatalogueEntry {
  std::string claim;  // "T3.step1"
  std::string name;   // "(U,E) diag"
  std::string text, latex, mathml;
};

// In the order of docs/theory.md.
std::vector<CatalogueEntry> catalogue();

// The entries of one claim; empty if it has no closed form.
std::vector<CatalogueEntry> catalogue(const std::string& claim);

}  // namespace popgrad
