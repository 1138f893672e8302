#include "theory/claims/quantity.hpp"

#include "core/errors.hpp"
#include "numerics/onset.hpp"
#include "tests/catch.hpp"
#include "theory/claims/quantity_meter.hpp"
#include "theory/formulas/gate.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

using namespace popgrad;

namespace {

Rational measured(const std::string& quantity, const Size& size, const StageSwitches& switches = {},
                  const std::string& monomial = "", std::optional<MeterEngine> engine = {}) {
  return QuantityMeter("quantity", parse_quantity("quantity", quantity), switches, monomial, engine).at(size);
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

constexpr StageSwitches isolated{Handoff::actual, Blocks::isolated, Background::avoid, Query::last};

}  // namespace

TEST_CASE("a quantity has the value of its closed form") {
  for (const Background background : {Background::any, Background::avoid}) {
    const StageSwitches ideal{Handoff::ideal, Blocks::full, background, Query::last};
    for (const auto& [N, T] : {std::pair{4, 6}, std::pair{7, 9}, std::pair{3, 20}}) {
      const Bindings at = {{"N", N}, {"T", T}};
      const Size size{N, T, {}, {}};
      CHECK(measured("stage1.wo2.UE.diag", size, ideal) == step1_ue_diag().evaluate_exact(at));
      CHECK(measured("stage1.wo2.UE.off", size, ideal) == step1_ue_off().evaluate_exact(at));
      CHECK(measured("stage1.wo2.UR.diag", size, ideal) == step1_ur_diag().evaluate_exact(at));
      CHECK(measured("stage1.wo2.UP[2]", size, ideal) == 0);
      CHECK(measured("stage2.wk2.ER.diag", size, ideal) ==
            step2_diag(background, Handoff::ideal, Blocks::full).evaluate_exact(at));
      CHECK(measured("stage2.wk2.ER.signal", size, ideal) ==
            step2_margin(background, Handoff::ideal, Blocks::full).evaluate_exact(at));
      const StageSwitches full{Handoff::actual, Blocks::full, background, Query::last};
      CHECK(measured("stage2.wk2.ER.diag", size, full) ==
            step2_diag(background, Handoff::actual, Blocks::full).evaluate_exact(at));
      for (int t = 2; t <= T; ++t) {
        const Size row{N, T, t, {}};
        CHECK(measured("stage3.wk1.PP[t,t-1]", row, ideal) ==
              step3_entry_exact({N, T, background, Query::last, {}}, t - 1, t - 2));
        CHECK(measured("stage3.wk1.PP.margin[t]", row, ideal) == step3_row_margin(N, T, background, t - 1));
        if (t >= 4 && t < T)
          CHECK(measured("stage3.wk1.PP.signal[t]", row, ideal) ==
                step3_signal(background).evaluate_exact({{"N", N}, {"T", T}, {"t", t}}));
      }
    }
  }
}

TEST_CASE("two engines that share nothing measure the same") {
  for (const char* name :
       {"stage1.wo2.UR.signal", "stage2.wk2.EE.diag", "stage2.wk2.RE.off", "stage2.wk2.EP[T-1]", "stage2.wk2.PS[T,2]",
        "stage2.wk2.SP[T,3]", "stage3.wk1.EE.diag", "stage3.wk1.EP[2]", "stage3.wk1.PP[4,3]", "stage3.wk1.PP.margin[T-1]"}) {
    INFO(name);
    const Size size{3, 5, {}, {}};
    CHECK(measured(name, size, isolated, "", MeterEngine::moments) ==
          measured(name, size, isolated, "", MeterEngine::orbits));
  }
}

TEST_CASE("stage 3 after full steps is measured by orbits, each monomial apart") {
  const StageSwitches full{Handoff::actual, Blocks::full, Background::avoid, Query::last};
  const Size size{4, 6, {}, {}};
  // The value path of T3.gate: -203/737280 at (P_2, P_1).
  CHECK(measured("stage3.wk1.PP[2,1]", size, full, "eta1") ==
        gate_value_path(4, 6, Background::avoid, Block::P, 1, Block::P, 0));
  CHECK(measured("stage3.wk1.PP[2,1]", size, full) != measured("stage3.wk1.PP[2,1]", size, full, "eta1"));
}

TEST_CASE("every quantity that is listed can be parsed and measured") {
  const std::vector<std::string> names = all_quantities();
  CHECK(names.size() == 40);
  for (const std::string& name : names) {
    INFO(name);
    CHECK_NOTHROW(measured(name, {3, 6, 4, 2}, isolated));
  }
}

TEST_CASE("a quantity that does not exist is refused with the nearest") {
  const auto refused = [](const std::string& text) { return refusal([&] { parse_quantity("quantity", text); }); };
  CHECK(says(refused("stage2.wk2.ER.daig"), "did you mean 'stage2.wk2.ER.diag'?"));
  CHECK(says(refused(""), "popgrad fit --list"));
  CHECK(says(refused("stage3.wk1.PP"), "expected stage3.wk1.PP[t,s]"));
  CHECK(says(refused("stage3.wk1.PP[t]"), "expected stage3.wk1.PP[t,s]"));
  CHECK(says(refused("stage3.wk1.PP[t,s"), "expected stage3.wk1.PP[t,s]"));
  CHECK(says(refused("stage2.wk2.ER.diag[1]"), "expected stage2.wk2.ER.diag"));
  CHECK(says(refused("stage3.wk1.PP[t,q]"), "index 'q', column 1: got unknown symbol 'q'"));
  CHECK(says(refused("stage3.wk1.PP.margin[t^1000000]"), "at most 64"));
}

TEST_CASE("an index out of range, a missing symbol and a length out of reach are refused by size") {
  const auto refused = [](const std::string& text, const Size& size, const StageSwitches& switches = {}) {
    return refusal([&] { measured(text, size, switches); });
  };
  CHECK(says(refused("stage3.wk1.PP[t,t-1]", {4, 6, 1, {}}), "with the index 0, expected positions in 1..6"));
  CHECK(says(refused("stage3.wk1.PP.signal[t]", {4, 6, 6, {}}), "positions in 4..5"));
  CHECK(says(refused("stage3.wk1.PP[t,t-1]", {4, 6, {}, {}}), "t and s need values"));
  CHECK(says(refused("stage1.wo2.UP[t/2]", {4, 6, 3, {}}), "with the index 3/2"));
  const StageSwitches full{Handoff::actual, Blocks::full, Background::avoid, Query::last};
  CHECK(says(refused("stage3.wk1.PP[2,1]", {4, 10, {}, {}}, full), "T up to 9"));
  CHECK(says(refusal([&] {
               measured("stage3.wk1.PP[2,1]", {4, 6, {}, {}}, full, "eta1*eta2");
             }),
             "eta1 or eta1^2 or eta1^2*eta2"));
  CHECK(says(refusal([&] {
               measured("stage3.wk1.PP[2,1]", {4, 6, {}, {}}, full, "", MeterEngine::moments);
             }),
             "engine orbits"));
}
