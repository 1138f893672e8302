#include "app/conjecture_claims.hpp"

#include <algorithm>

#include "core/grade.hpp"

namespace popgrad {
namespace {

constexpr std::size_t shown_sizes = 4, shown_failures = 8;

const char* word(const Conjecture& conjecture, const SizeAnswer& at) {
  if (conjecture.relation == Relation::grows_like) return "-";
  return at.holds ? "holds" : "fails";
}

std::string brief(const Rational& x) {
  const std::string text = to_string(x);
  return text.size() <= 40 ? text : text.substr(0, 18) + "...(" + std::to_string(text.size()) + " characters)";
}

std::string sizes_text(const Conjecture& conjecture, const ConjectureAnswer& answer, bool all, const TableStyle& style) {
  const bool refuted = std::any_of(answer.sizes.begin(), answer.sizes.end(), [](const SizeAnswer& at) { return !at.holds; });
  const bool only_failing = refuted && !all && conjecture.relation != Relation::grows_like;
  std::string text;
  std::size_t shown = 0, left = 0;
  for (const SizeAnswer& at : answer.sizes) {
    if (only_failing && at.holds) continue;
    if (!all && shown == (only_failing ? shown_failures : shown_sizes)) {
      ++left;
      continue;
    }
    ++shown;
    text +=
        wrap(at.size.describe() + ": " + brief(at.measured) + " " + symbol(conjecture.relation) + " " + brief(at.predicted) +
                 (conjecture.relation == Relation::grows_like ? "" : std::string(" ") + word(conjecture, at)),
             style.width, "    ", "      ");
  }
  if (left > 0)
    text += "    and " + std::to_string(left) + " more" + (only_failing ? " that fail" : "") +
            " (--sizes shows all, --out writes them to conjectures.tsv)\n";
  return text;
}

}  // namespace

ConjectureRun::ConjectureRun(std::vector<Conjecture> conjectures) : entries_(std::make_shared<std::vector<Entry>>()) {
  for (Conjecture& conjecture : conjectures) entries_->push_back({std::move(conjecture), std::nullopt});
}

std::vector<Claim> ConjectureRun::claims() const {
  std::vector<Claim> list;
  for (std::size_t i = 0; i < entries_->size(); ++i) {
    const Conjecture& conjecture = (*entries_)[i].conjecture;
    Claim claim;
    claim.id = "conjecture " + conjecture.name;
    claim.statement = conjecture.statement();
    claim.source = conjecture.argument;
    claim.run = [entries = entries_, i](const ClaimContext& context) {
      Entry& entry = (*entries)[i];
      entry.answer = judge_conjecture(entry.conjecture, context.progress);
      return std::vector<Row>{entry.answer->row};
    };
    list.push_back(std::move(claim));
  }
  return list;
}

std::string ConjectureRun::text(bool all_sizes, const TableStyle& style) const {
  std::string text = "conjectures, size by size (measured, then the formula; exact):\n";
  for (const Entry& entry : *entries_) {
    if (!entry.answer) continue;
    const Row& row = entry.answer->row;
    text += wrap(entry.conjecture.name + ": " + entry.conjecture.configuration(), style.width, "  ", "    ");
    text += wrap(std::string(name(row.verdict)) + ": " + row.reason, style.width, "    ", "      ");
    text += sizes_text(entry.conjecture, *entry.answer, all_sizes, style);
  }
  return text + "\n";
}

std::string ConjectureRun::tsv() const {
  std::string text = "conjecture\tN\tT\tt\ts\tmeasured\trelation\tformula\tholds\n";
  const auto optional = [](const std::optional<int>& x) { return x ? std::to_string(*x) : std::string(); };
  for (const Entry& entry : *entries_) {
    if (!entry.answer) continue;
    for (const SizeAnswer& at : entry.answer->sizes)
      text += entry.conjecture.name + "\t" + std::to_string(at.size.N) + "\t" + std::to_string(at.size.T) + "\t" +
              optional(at.size.t) + "\t" + optional(at.size.s) + "\t" + to_string(at.measured) + "\t" +
              symbol(entry.conjecture.relation) + "\t" + to_string(at.predicted) + "\t" + word(entry.conjecture, at) + "\n";
  }
  return text;
}

}  // namespace popgrad
