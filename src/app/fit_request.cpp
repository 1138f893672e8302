#include "app/fit_request.hpp"

#include <algorithm>

#include "app/config_parse.hpp"
#include "core/byte_text.hpp"
#include "core/errors.hpp"
#include "theory/formulas/parse.hpp"

namespace popgrad {
namespace {

std::string word(const char* option, const std::string& value, const std::vector<std::string>& words,
                 const char* otherwise) {
  if (value.empty()) return otherwise;
  Setting setting;
  setting.where = option;
  setting.value = value;
  return parse_word(setting, words);
}

// At commas outside brackets.
std::vector<std::string> functions_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string range(int first, std::size_t count) {
  return std::to_string(first) + ".." + std::to_string(first + static_cast<int>(count) - 1);
}

}  // namespace

Grid FitRequest::grid(std::size_t needed_N, std::size_t needed_T) const {
  Grid grid{N, T, t, s};
  // One N is held out as a whole; the last lengths are held out too.
  if (!asked_N && needed_N > 0) grid.N = parse_values("-N", range(2, needed_N + 2), {});
  if (!asked_T && needed_T > 0) grid.T = parse_values("-T", range(t ? 8 : 4, needed_T + 4), {"N"});
  return grid;
}

FitRequest read_fit(const FitWords& words) {
  if (words.quantity.empty())
    throw InputError("QUANTITY", "nothing", "a quantity such as stage2.wk2.ER.diag (popgrad fit --list prints them)");
  const Quantity quantity = parse_quantity("QUANTITY", words.quantity);
  StageSwitches switches;
  switches.handoff = parse_handoff(word("--handoff", words.handoff, {"ideal", "actual"}, "ideal"));
  switches.blocks = parse_blocks(word("--blocks", words.blocks, {"isolated", "full"}, "full"));
  switches.background = parse_background(word("--background", words.background, {"any", "avoid"}, "avoid"));
  switches.query = parse_query(word("--query", words.query, {"last", "any"}, "last"));
  std::optional<MeterEngine> engine;
  const std::string chosen = word("--engine", words.engine, {"moments", "orbits"}, "");
  if (!chosen.empty()) engine = chosen == "moments" ? MeterEngine::moments : MeterEngine::orbits;

  FitRequest request{QuantityMeter("QUANTITY", quantity, switches, words.monomial, engine),
                     {},
                     words.basis,
                     {},
                     {},
                     {},
                     {},
                     {},
                     {},
                     false,
                     false};
  const bool orbits = request.meter.engine() == MeterEngine::orbits;
  request.asked_N = !words.N.empty();
  request.asked_T = !words.T.empty();
  request.N = parse_values("-N", request.asked_N ? words.N : orbits ? "2..5" : "2..9", {});
  request.T = parse_values("-T",
                           request.asked_T      ? words.T
                           : orbits             ? "4..8"
                           : quantity.uses("t") ? "8..24"
                                                : "4..24",
                           {"N"});
  const auto position = [&](const char* option, const std::string& symbol, const std::string& text, const char* otherwise,
                            const std::vector<std::string>& known) -> std::optional<Values> {
    if (!quantity.uses(symbol)) {
      if (!text.empty())
        throw InputError(option, popgrad::quoted(text), "no values: " + quantity.name + " has no " + symbol);
      return std::nullopt;
    }
    return parse_values(option, text.empty() ? otherwise : text, known);
  };
  const bool signal = quantity.part == Quantity::Part::row_signal;
  request.t = position("-t", "t", words.t, signal ? "4..T-2" : "3..T-2", {"N", "T"});
  request.s = position("-s", "s", words.s, "2..t-2", {"N", "T", "t"});
  const std::vector<Size> sizes = sizes_of(request.grid(0, 0));
  for (const Size& size : sizes) request.meter.require_measurable(size);
  for (const std::string& symbol : size_symbols()) {
    const auto first = sizes.front().of(symbol);
    if (!first) continue;
    if (std::any_of(sizes.begin(), sizes.end(), [&](const Size& size) { return size.of(symbol) != first; }))
      request.variables.push_back(symbol);
  }
  // Somewhere in the middle of the rows.
  request.base = sizes.front();
  const auto varies = [&](const char* symbol) {
    return std::find(request.variables.begin(), request.variables.end(), symbol) != request.variables.end();
  };
  if (varies("t") && sizes.front().T >= 8) request.base.t = 5;
  if (varies("s") && sizes.front().T >= 8) request.base.s = 2;

  if (!words.denominator.empty() && words.basis.empty())
    throw InputError("--denominator", popgrad::quoted(words.denominator),
                     "--basis with it: without one both are read off the values");
  if (words.basis.empty()) return request;
  const Grammar grammar{request.variables, true};
  FitBasis basis{{}, parse_formula("--denominator", words.denominator.empty() ? "1" : words.denominator, grammar)};
  for (const std::string& function : functions_of(words.basis))
    basis.functions.push_back(parse_formula("--basis", function, grammar));
  if (basis.functions.size() > 400)
    throw InputError("--basis", std::to_string(basis.functions.size()) + " functions", "at most 400");
  request.basis = std::move(basis);
  return request;
}

}  // namespace popgrad
