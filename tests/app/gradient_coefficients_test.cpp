// popgrad gradient --degree and --symbolic: names, shapes, golden values, and what is refused.
#include "gradient_support.hpp"

using namespace popgrad;

namespace {

std::string monomials(const Json& json) {
  std::string text;
  for (const Json& term : json.at("terms")) text += (text.empty() ? "" : " ") + term.at("monomial").get<std::string>();
  return text;
}

}  // namespace

TEST_CASE("gradient with a degree has one term for each monomial, and the leading ones are those without a degree") {
  const Json ideal = gradient_of("--stage 3 -N 3 -T 5 --degree 3"), leading = gradient_of("--stage 3 -N 3 -T 5");
  CHECK(ideal.at("engine") == "exact");
  CHECK(ideal.at("grade") == "exact");
  CHECK(ideal.at("configuration").at("order") == "leading");
  CHECK(ideal.at("configuration").at("degree") == 3);
  CHECK_FALSE(leading.at("configuration").contains("degree"));
  CHECK(monomials(ideal) == "alpha alpha^2 alpha*beta alpha^3 alpha^2*beta alpha*beta^2");
  CHECK(ideal.at("terms").at(2) == leading.at("terms").at(1));
  CHECK(ideal.at("terms").at(4) != leading.at("terms").at(1));
  const Json actual = gradient_of("--stage 2 --handoff actual -N 4 -T 6 --degree 2");
  CHECK(monomials(actual) == "eta1 eta1^2");
  CHECK(block(actual, 0, "E,R").at("diag").at("exact") == "1350193/9555148800");
  CHECK(block(actual, 1, "E,R").at("diag").at("exact") != "0");
  CHECK(monomials(gradient_of("--stage 1 -N 4 -T 6 --degree 2")) == "1");
}

TEST_CASE("a coefficient as a function of N is printed in lowest terms, with its value where N is given") {
  const Json any_N = gradient_of("--stage 2 -T 6 --symbolic N");
  CHECK(any_N.at("configuration").at("N").is_null());
  CHECK(any_N.at("configuration").at("symbolic") == "N");
  const Json diag = block(any_N, 0, "E,R").at("diag");
  CHECK(diag == Json{{"formula", "(94*N-1)/(8640*N^2)"}});
  CHECK(block(any_N, 0, "E,R").at("off") == Json{{"formula", "-(94*N-1)/(8640*N^2*(N-1))"}});
  CHECK(block(any_N, 0, "E,P").at("entries").at(0) == Json{{"formula", "-(N-1)/(36*N^2)"}});
  CHECK(block(any_N, 0, "P,E").at("entries").at(0) == Json{{"formula", "0"}});
  for (const char* engine : {"moments", "exact"})
    CHECK(gradient_of(std::string("--stage 2 -T 6 --symbolic N --engine ") + engine).at("terms") == any_N.at("terms"));
  const Json four = gradient_of("--stage 2 -T 6 --symbolic N -N 4");
  CHECK(four.at("configuration").at("N") == 4);
  CHECK(block(four, 0, "E,R").at("diag").at("formula") == "(94*N-1)/(8640*N^2)");
  CHECK(block(four, 0, "E,R").at("diag").at("exact") == "25/9216");
  CHECK(block(four, 0, "E,R").at("diag").at("value").get<double>() == 25.0 / 9216);
}

TEST_CASE("functions of N of Taylor coefficients and of step 3 after full steps come from the engine exact") {
  const Json json = gradient_of("--stage 3 --handoff actual -T 4 --degree 3 --symbolic N -N 5");
  CHECK(json.at("engine") == "exact");
  CHECK(monomials(json) == "eta1 eta1^2 eta1^3 eta1^2*eta2");
  const Json plain = gradient_of("--stage 3 --handoff actual -T 4 -N 5");
  for (const std::size_t s : {0u, 1u})
    CHECK(block(json, 3, "P,P").at("entries").at(1).at(s).at("exact") ==
          block(plain, 2, "P,P").at("entries").at(1).at(s).at("exact"));
}

TEST_CASE("the table of functions of N shows one entry a line, and the memory signal where N is given") {
  const Finished any_N = gradient("--stage 2 -T 6 --symbolic N"), four = gradient("--stage 2 -T 6 --symbolic N -N 4");
  CHECK(any_N.code == 0);
  for (const char* part : {"functions of N", "E,R diag = (94*N-1)/(8640*N^2)", "zero for every N:", "[6,1] ="})
    CHECK(contains(any_N.out, part));
  CHECK(contains(any_N.out, "memory signal (E,R) at every N: diag - off > 0 for every N >= 2"));
  CHECK_FALSE(contains(any_N.out, "memory signal (E,R): "));
  CHECK(contains(gradient("--stage 3 -T 5 --symbolic N").out, "none, the block is zero"));  // alpha alone
  // Where the theorem's conclusion fails: T = 5, any, up to N = 11 after a full step; row 4 of step 3 at N = 2.
  CHECK(contains(gradient("--stage 2 --handoff actual -T 5 --background any --symbolic N").out,
                 "diag - off > 0 for N >= 12, < 0 for N = 2..11"));
  CHECK(contains(gradient("--stage 3 -T 6 --symbolic N").out, "rows 3..4: larger for N >= 3, a tie for N = 2"));
  for (const char* part : {"(25/9216 at N=4)", "memory signal (E,R): diag - off = 25/6912 > 0"})
    CHECK(contains(four.out, part));
}

TEST_CASE("degrees and symbols that do not fit are refused, and what would take too long") {
  check_refused("--stage 2 --degree 0", {"--degree", "'0'", "an integer from 1"});
  check_refused("--stage 2 --degree 2 --order full --alpha 1", {"--degree", "'2'", "--order leading"});
  check_refused("--stage 2 -d 8 --degree 2", {"--degree", "'2'", "no -d"});
  check_refused("--stage 2 --degree 2 --engine moments", {"--engine", "'moments'", "--engine exact, or no --degree"});
  check_refused("--stage 2 --degree 2 --engine orbits", {"--engine", "'orbits'", "--engine exact, or no --degree"});
  check_refused("--stage 2 --symbolic T", {"--symbolic", "'T'", "N"});
  check_refused("--stage 2 --symbolic N --order full --alpha 1", {"--symbolic", "'N'", "--order leading"});
  check_refused("--stage 2 --symbolic N --engine enumerate", {"--engine", "'enumerate'", "--engine exact or moments"});
  check_refused("--stage 3 --handoff actual -N 65 -T 12 --degree 4", {"orbits", "at most"});
  check_refused("--stage 3 --handoff actual -T 11 --symbolic N", {"for T=11 avoid", "orbits", "at each of", "at most"});
}
