// What `popgrad fit` found, as text and as JSON (docs/formats.md).
#pragma once
#include <string>
#include <vector>

#include "app/fit_request.hpp"
#include "app/terminal.hpp"

namespace popgrad {

struct FitAttempt {
  std::string basis;  // in words
  std::size_t functions = 0;
  std::string grid;  // "N=2..9 T=4..24"
  std::size_t sizes = 0;
  Fitted fitted;
};

struct FitReport {
  std::string quantity;  // with switches
  MeterEngine engine = MeterEngine::moments;
  std::vector<FitAttempt> attempts;     // the last is the one that counts
  std::vector<Size> checked_by_orbits;  // sizes at which sums over orbits agree with the closed form
};

std::string fit_text(const FitReport& report, const TableStyle& style);
std::string fit_json(const FitReport& report);

}  // namespace popgrad
