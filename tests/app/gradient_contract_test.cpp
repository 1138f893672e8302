// The JSON of popgrad gradient: its shape, and values known from independent exact enumeration.
#include "gradient_support.hpp"

using namespace popgrad;

namespace {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;  // sorted: nlohmann::json orders its keys
}

// Every block of a term has the kind and the shape that its name says, and every number a value and, if exact, the rational
// of it.
void check_blocks(const Json& blocks, std::size_t T, bool exact) {
  for (const auto& [name, block] : blocks.items()) {
    INFO(name);
    const auto token = [](char c) { return c == 'U' || c == 'E' || c == 'R'; };
    const bool row = token(name[0]), column = token(name[2]);
    CHECK(block.at("kind") == (row && column ? "token-token" : row || column ? "token-position" : "position-position"));
    std::vector<Json> numbers;
    if (row && column) {
      numbers = {block.at("diag"), block.at("off")};
    } else if (row || column) {
      for (const Json& entry : block.at("entries")) numbers.push_back(entry);
      CHECK(numbers.size() == T);
    } else {
      CHECK(block.at("entries").size() == T);
      for (const Json& line : block.at("entries")) {
        CHECK(line.size() == T);
        for (const Json& entry : line) numbers.push_back(entry);
      }
    }
    for (const Json& number : numbers) {
      CHECK(number.at("value").is_number());
      CHECK(number.contains("exact") == exact);
    }
  }
}

}  // namespace

TEST_CASE("the JSON of gradient has the names, engine and grade of the contract, and all blocks of the map") {
  const Json wk2 = gradient_of(
      "--param wk2 --stage 2 --handoff ideal --blocks full --order leading --background avoid --query last -N 4 -T 6 "
      "--engine exact");
  CHECK(wk2.at("param") == "wk2");
  CHECK(wk2.at("stage") == 2);
  CHECK(wk2.at("engine") == "exact");
  CHECK(wk2.at("grade") == "exact");
  REQUIRE(wk2.at("terms").size() == 1);
  CHECK(wk2.at("terms").at(0).at("monomial") == "alpha");
  CHECK(keys(wk2.at("terms").at(0).at("blocks")) ==
        split("E,E E,P E,R E,S P,E P,P P,R P,S R,E R,P R,R R,S S,E S,P S,R S,S"));
  check_blocks(wk2.at("terms").at(0).at("blocks"), 6, true);
  const Json wo2 = gradient_of("--param wo2 -N 3 -T 5");
  CHECK(wo2.at("stage") == 1);
  CHECK(wo2.at("terms").at(0).at("monomial") == "1");
  CHECK(keys(wo2.at("terms").at(0).at("blocks")) == split("U,E U,P U,R U,S"));
  check_blocks(wo2.at("terms").at(0).at("blocks"), 5, true);
  const Json wk1 = gradient_of("--stage 3 -N 3 -T 5 --handoff actual --order full --eta1 1 --eta2 10");
  CHECK(wk1.at("param") == "wk1");
  CHECK(wk1.at("grade") == "enumerated");
  REQUIRE(wk1.at("terms").size() == 1);
  CHECK(wk1.at("terms").at(0).at("monomial") == "full");
  CHECK(keys(wk1.at("terms").at(0).at("blocks")) == split("E,E E,P P,E P,P"));
  check_blocks(wk1.at("terms").at(0).at("blocks"), 5, false);
}

// From brute force in exact arithmetic, independent of this program: (N,T) = (4,6), avoid, last.
TEST_CASE("gradient prints the known coefficients of step 2: ideal, actual isolated and actual full hand-off") {
  const Json ideal = gradient_of("--stage 2 --handoff ideal -N 4 -T 6 --engine exact");
  CHECK(block(ideal, 0, "E,R").at("diag").at("exact") == "25/9216");
  CHECK(block(ideal, 0, "E,R").at("off").at("exact") == "-25/27648");
  CHECK(block(ideal, 0, "E,R").at("diag").at("value").get<double>() == 25.0 / 9216);
  const Json isolated = gradient_of("--stage 2 --handoff actual --blocks isolated -N 4 -T 6 --engine exact");
  CHECK(isolated.at("terms").at(0).at("monomial") == "eta1");
  CHECK(block(isolated, 0, "E,R").at("diag").at("exact") == "25/221184");
  const Json full = gradient_of("--stage 2 --handoff actual --blocks full -N 4 -T 6 --engine exact");
  CHECK(block(full, 0, "E,R").at("diag").at("exact") == "1350193/9555148800");
}

TEST_CASE("gradient prints the known rows of step 3 and each of its monomials") {
  const Json ideal = gradient_of("--stage 3 --handoff ideal -N 4 -T 6 --engine exact");
  REQUIRE(ideal.at("terms").size() == 2);
  CHECK(ideal.at("terms").at(0).at("monomial") == "alpha");
  CHECK(ideal.at("terms").at(1).at("monomial") == "alpha*beta");
  CHECK(exact_row(block(ideal, 1, "P,P"), 2) == split("5/768 -5/768"));
  CHECK(exact_row(block(ideal, 1, "P,P"), 3) == split("-1/288 1/192 -1/576"));
  const Json actual = gradient_of("--stage 3 --handoff actual --blocks full -N 4 -T 6 --engine exact");
  REQUIRE(actual.at("terms").size() == 3);
  CHECK(actual.at("terms").at(0).at("monomial") == "eta1");
  CHECK(actual.at("terms").at(1).at("monomial") == "eta1^2");
  CHECK(actual.at("terms").at(2).at("monomial") == "eta1^2*eta2");
  CHECK(exact_row(block(actual, 0, "P,P"), 3) == split("-203/829440 203/1658880 203/1658880"));  // (-2, 1, 1)
}

TEST_CASE("every engine that works to leading order prints the same blocks of a gradient") {
  for (const std::string of :
       {"--stage 1 --background any", "--stage 2 --handoff ideal --query any", "--stage 2 --handoff actual --blocks full",
        "--stage 3 --handoff ideal --background any", "--stage 3 --handoff actual --blocks isolated"}) {
    INFO(of);
    const std::string options = of + " -N 3 -T 5 --engine ";
    const Json exact = gradient_of(options + "exact").at("terms");
    for (const char* engine : {"orbits", "enumerate", "moments"}) {
      INFO(engine);
      CHECK(gradient_of(options + engine).at("terms") == exact);
    }
    CHECK(gradient_of(of + " -N 3 -T 6 --engine exact").at("terms") != exact);  // the comparison can fail
  }
}

TEST_CASE(
    "at full order the engines of gradient agree within their bounds, and a small size gives the leading coefficient") {
  const std::string options = "--stage 2 --handoff ideal --order full --alpha 2 -N 3 -T 5 --engine ";
  const Json orbits = gradient_of(options + "orbits"), all = gradient_of(options + "enumerate"),
             certified = gradient_of(options + "certified");
  CHECK(certified.at("grade") == "certified");
  for (const char* name : {"E,E", "E,R", "R,E", "R,R"}) {
    const Json a = block(orbits, 0, name).at("diag"), b = block(all, 0, name).at("diag"),
               c = block(certified, 0, name).at("diag");
    const double difference = a.at("value").get<double>() - b.at("value").get<double>();
    CHECK(std::abs(difference) <= a.at("roundoff").get<double>() + b.at("roundoff").get<double>());
    CHECK(a.at("roundoff").get<double>() < 1e-3 * std::abs(a.at("value").get<double>()));
    CHECK(c.at("lower").get<double>() <= a.at("value").get<double>() + a.at("roundoff").get<double>());
    CHECK(c.at("upper").get<double>() >= a.at("value").get<double>() - a.at("roundoff").get<double>());
    CHECK(c.at("upper").get<double>() - c.at("lower").get<double>() < 1e-3 * std::abs(a.at("value").get<double>()));
  }
  // Second order in alpha: at alpha = 1e-4 the quotient is within 1e-3 of the coefficient.
  const double leading = block(gradient_of("--stage 2 -N 3 -T 5"), 0, "E,R").at("diag").at("value").get<double>();
  const double small =
      block(gradient_of("--stage 2 --order full --alpha 1e-4 -N 3 -T 5"), 0, "E,R").at("diag").at("value").get<double>() /
      1e-4;
  CHECK(std::abs(small - leading) < 1e-3 * std::abs(leading));
  CHECK(std::abs(small - leading) > 0);
}

TEST_CASE("gradient at finite d reports the spread over embedding draws apart from the error of their mean") {
  const std::string options = "--stage 1 -N 2 -T 4 -d 32 --draws 9 --seed 5";
  const Json json = gradient_of(options);
  CHECK(json.at("engine") == "enumerate");
  CHECK(json.at("grade") == "sampled");
  CHECK(json.at("configuration").at("draws") == 9);
  const Json diag = block(json, 0, "U,E").at("diag");
  CHECK(diag.at("spread").get<double>() > 0);
  CHECK(std::abs(diag.at("se").get<double>() - diag.at("spread").get<double>() / 3) < 1e-15);
  CHECK(block(json, 0, "U,E").at("contrast").contains("se"));
  CHECK(block(json, 0, "U,P").at("entries").size() == 4);
  // (1/(NT)) (1 - 1/N) = 1/16 as d grows
  CHECK(std::abs(diag.at("value").get<double>() - 1.0 / 16) < 6 * diag.at("se").get<double>());
  CHECK(gradient_of(options + " --threads 1") == gradient_of(options + " --threads 3"));
  CHECK(gradient_of("--stage 1 -N 2 -T 4 -d 32 --draws 9 --seed 6").at("terms") != json.at("terms"));
}

TEST_CASE("montecarlo agrees with the orbits within its standard errors, and takes over where they are too many") {
  for (const std::string of :
       {"--stage 2 --alpha 1", "--stage 3 --handoff actual --eta1 2 --eta2 20", "--stage 2 --handoff actual --eta1 5"}) {
    const std::string options = of + " --order full -N 5 -T 6 --engine ";
    const Json orbits = gradient_of(options + "orbits"), sampled = gradient_of(options + "montecarlo --draws 4000 --seed 3");
    CHECK(sampled.at("grade") == "sampled");
    int different = 0;
    for (const char* name : {"E,E"}) {
      const Json a = block(orbits, 0, name).at("diag"), b = block(sampled, 0, name).at("diag");
      INFO(of << " " << a << " " << b);
      const double se = b.at("se").get<double>(),
                   difference = std::abs(a.at("value").get<double>() - b.at("value").get<double>());
      CHECK(difference < 6 * se);
      CHECK(6 * se < 0.2 * std::abs(a.at("value").get<double>()));
      different += difference > 0;
    }
    CHECK(different == 1);  // estimates, not the exact value under another name
  }
  const Json large = gradient_of("--stage 2 --order full --alpha 1 -N 65 -T 32 --draws 500 --engine montecarlo");
  CHECK(block(large, 0, "E,R").at("diag").contains("se"));
  CHECK(gradient_of("--stage 2 --order full --alpha 1 -N 9 -T 16").at("engine") == "montecarlo");
}

TEST_CASE("moments carries gradient to T = 256 without being asked") {
  const Json json = gradient_of("--stage 1 -N 1000 -T 256 --background any");
  CHECK(json.at("engine") == "moments");
  CHECK(block(json, 0, "U,E").at("diag").at("exact") == "999/256000000");  // (1/(NT)) (1 - 1/N)
}
