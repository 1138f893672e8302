#include <cmath>
#include <nlohmann/json.hpp>

#include "app/gradient_output.hpp"
#include "app/results.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: an end of an enclosure that is not bounded is a text.
Json real(double x) {
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

Json number(const Number& x) {
  Json json = Json::object();
  if (x.formula) json["formula"] = to_string(*x.formula);
  if (!x.formula || x.exact) json["value"] = real(x.value);
  if (x.exact) json["exact"] = to_string(*x.exact);
  const auto put = [&](const char* key, const std::optional<double>& part) {
    if (part) json[key] = real(*part);
  };
  put("roundoff", x.roundoff);
  put("lower", x.lower);
  put("upper", x.upper);
  put("se", x.se);
  put("spread", x.spread);
  return json;
}

Json entries(const GradientBlock& block) {
  Json list = Json::array();
  if (block.kind == BlockKind::token_position) {
    for (const Number& entry : block.entries) list.push_back(number(entry));
    return list;
  }
  const auto T = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(block.entries.size()))));
  for (std::size_t t = 0; t < T; ++t) {
    Json row = Json::array();
    for (std::size_t s = 0; s < T; ++s) row.push_back(number(block.entries[t * T + s]));
    list.push_back(std::move(row));
  }
  return list;
}

Json block_json(const GradientBlock& block) {
  Json json = {{"kind", name(block.kind)}};
  if (block.kind != BlockKind::token_token) {
    json["entries"] = entries(block);
    return json;
  }
  json["diag"] = number(block.diag);
  json["off"] = number(block.off);
  // Where it says more than the two: its standard error is not that of independent values.
  if (block.contrast.se) json["contrast"] = number(block.contrast);
  return json;
}

Json sizes_json(const GradientRequest& request) {
  Json sizes = Json::object();
  if (request.order == Order::leading) return sizes;
  const bool ideal = request.handoff == Handoff::ideal;
  if (request.stage > 1) sizes[ideal ? "alpha" : "eta1"] = request.sizes.first;
  if (request.stage > 2) sizes[ideal ? "beta" : "eta2"] = request.sizes.second;
  return sizes;
}

}  // namespace

std::string gradient_json(const GradientRequest& request, const GradientResult& result) {
  Json json = {{"param", request.param}, {"stage", request.stage}, {"engine", result.engine}, {"grade", name(result.grade)}};
  json["configuration"] = {{"N", request.task.N},
                           {"T", request.task.T},
                           {"background", name(request.task.background)},
                           {"query", name(request.task.query)},
                           {"handoff", name(request.handoff)},
                           {"blocks", name(request.blocks)},
                           {"order", name(request.order)},
                           {"sizes", sizes_json(request)}};
  if (request.symbolic) json["configuration"]["symbolic"] = "N";
  if (request.symbolic && !request.N_given) json["configuration"]["N"] = nullptr;
  if (request.degree) json["configuration"]["degree"] = *request.degree;
  if (request.d) json["configuration"]["d"] = *request.d;
  if (result.draws > 0) {
    json["configuration"]["draws"] = result.draws;
    json["configuration"]["seed"] = request.seed;
  }
  json["terms"] = Json::array();
  for (const GradientTerm& term : result.terms) {
    Json blocks = Json::object();
    for (const GradientBlock& block : term.blocks) blocks[block.name] = block_json(block);
    json["terms"].push_back({{"monomial", term.monomial}, {"blocks", std::move(blocks)}});
  }
  json["statement_note"] = statement_note;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace popgrad
