#include "app/claims_text.hpp"

#include <nlohmann/json.hpp>

#include "app/results.hpp"
#include "app/terminal.hpp"

namespace popgrad {

std::string claims_text(const std::vector<Claim>& claims, int width) {
  std::string text;
  for (const Claim& claim : claims) {
    text += claim.id + "\n" + wrap(claim.statement, width, "  ", "  ");
    for (const std::string& hypothesis : claim.hypotheses)
      text += wrap(hypothesis, width, "  hypothesis: ", "              ");
    for (const ClosedForm& form : claim.closed_forms)
      text += wrap(form.name + " = " + form.text, width, "  formula:    ", "              ");
    text += wrap(claim.source, width, "  source:     ", "              ") + "\n";
  }
  return text + wrap(statement_note, width, "", "");
}

std::string claims_json(const std::vector<Claim>& claims) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Claim& claim : claims) {
    Json forms = Json::array();
    for (const ClosedForm& form : claim.closed_forms)
      forms.push_back({{"name", form.name}, {"text", form.text}, {"latex", form.latex}, {"mathml", form.mathml}});
    Json entry = {{"id", claim.id}, {"statement", claim.statement}};
    entry["hypotheses"] = claim.hypotheses;
    entry["source"] = claim.source;
    entry["closed_forms"] = std::move(forms);
    list.push_back(std::move(entry));
  }
  Json json = {{"format", "popgrad-claims"}, {"version", 1}, {"statement_note", statement_note}};
  json["claims"] = std::move(list);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace popgrad
