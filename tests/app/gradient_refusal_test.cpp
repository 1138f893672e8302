// What popgrad gradient refuses, each with exit 2 and one line; and its table.
#include "gradient_support.hpp"

using namespace popgrad;

TEST_CASE("gradient without a stage, or with values that no option has, is refused") {
  check_refused("", {"--param", "nothing", "wo2, wk2 or wk1"});
  check_refused("--param wk3", {"--param", "'wk3'", "did you mean 'wk2'?"});
  check_refused("--stage 0", {"--stage", "'0'", "an integer from 1 to 3"});
  check_refused("--stage 2 --handoff idael", {"--handoff", "'idael'", "did you mean 'ideal'?"});
  check_refused("--stage 2 --blocks some", {"--blocks", "'some'", "isolated or full"});
  check_refused("--stage 2 --order second", {"--order", "'second'", "leading or full"});
  check_refused("--stage 2 --background none", {"--background", "'none'", "any or avoid"});
  check_refused("--stage 2 --query first", {"--query", "'first'", "last or any"});
  check_refused("--stage 2 -T 3", {"-T", "'3'", "an integer from 4"});
  check_refused("--stage 2 -N 1", {"-N", "'1'", "an integer from 2"});
  check_refused("--stage 2 --engine orbit", {"--engine", "'orbit'", "one of", "did you mean 'orbits'?"});
  check_refused("--stage 2 --order full --alpha x", {"--alpha", "'x'", "a number in"});
  check_refused("--stage 2 --order full --alpha nan", {"--alpha", "'nan'", "a number in"});
  check_refused("--stage 1 -d 8 --draws 1", {"--draws", "'1'", "an integer from 2"});
  check_refused("--stage 1 -d 0", {"-d", "'0'"});
}

TEST_CASE("options of gradient that contradict each other are refused") {
  check_refused("--stage 2 --handoff actual --order full --alpha 1 --eta1 1",
                {"--alpha", "'1'", "--eta1 and --eta2 with --handoff actual"});
  check_refused("--stage 2 --handoff ideal --order full --alpha 1 --eta1 1",
                {"--eta1", "--alpha and --beta with --handoff ideal"});
  check_refused("--stage 2 --alpha 1", {"--alpha", "'1'", "--order full"});
  check_refused("--stage 2 --order full", {"--alpha", "nothing", "the size of that step"});
  check_refused("--stage 3 --order full --handoff actual --eta1 1", {"--eta2", "nothing", "the size of that step"});
  check_refused("--stage 2 --order full --alpha 1 --beta 1", {"--beta", "stage 2 starts before that step"});
  check_refused("--stage 1 --order full --alpha 1", {"--alpha", "stage 1 starts before that step"});
  check_refused("--param wo2 --stage 3", {"--param", "'wo2'", "wk1, which stage 3 trains"});
  check_refused("--stage 1 -d 8 --order leading", {"--order", "-d", "full"});
  check_refused("--stage 1 -d 8 --engine exact", {"--engine", "'exact'", "--engine enumerate with -d"});
  check_refused("--stage 1 --draws 10", {"--draws", "'10'"});
  check_refused("--stage 2 --order full --alpha 1 --engine exact", {"--engine", "'exact'", "--order leading"});
  check_refused("--stage 2 --engine certified", {"--engine", "'certified'", "--order full"});
  check_refused("--stage 3 --handoff actual --blocks full --engine moments", {"--engine", "'moments'", "--engine exact"});
}

TEST_CASE("an instance too large for its engine is refused with its size, its cost and the engine that would do") {
  check_refused("--stage 3 -N 65 -T 12 --engine enumerate",
                {"sequences", "years", "expected --engine moments", "-T 4 at most"});
  check_refused("--stage 2 -N 65 -T 20 --engine exact",
                {"N=65 T=20", "orbits", "expected --engine moments", "-T 12 at most"});
  check_refused("--stage 3 --handoff actual -N 65 -T 20", {"-N, -T", "orbits", "at most"});
  check_refused("--stage 3 --order full --alpha 1 --beta 1 -N 65 -T 40 --engine orbits",
                {"orbits", "years", "expected --engine montecarlo"});
  check_refused("--stage 1 -N 65536 -T 65536", {"positions"});
  check_refused("--stage 1 -N 4 -T 6 -d 16384 --draws 1000", {"d=16384", "1000 draws", "a smaller -N, -d or --draws"});
  check_refused("--stage 3 --order full --alpha 1e9 --beta 1e9", {"--alpha, --beta", "smaller sizes"});
}

TEST_CASE(
    "the gradient of a map that the stage does not train is allowed at full order, and W_O2 = 0 gives none to the keys") {
  const Json wo2 = gradient_of("--param wo2 --stage 3 --order full --alpha 1 --beta 2 -N 3 -T 5");
  CHECK(block(wo2, 0, "U,E").at("diag").at("value").get<double>() > 0);
  const Json wk2 = gradient_of("--param wk2 --stage 1 --order full -N 3 -T 5");
  for (const auto& [name, of] : wk2.at("terms").at(0).at("blocks").items())
    if (of.contains("diag")) CHECK(of.at("diag").at("value") == 0);
}

TEST_CASE("the table of gradient shows diag, off and contrast, the memory signal, ties, and whose statements these are") {
  const Finished second = gradient("--stage 2 -N 4 -T 6");
  CHECK(second.code == 0);
  for (const char* part : {"-dL/dW_K2 at the start of stage 2", "coefficient of alpha", "25/9216", "-25/27648", "25/6912",
                           "exactly zero:", "memory signal (E,R): diag - off = 25/6912 > 0", "nats per unit of weight",
                           "not the authors' wording"})
    CHECK(contains(second.out, part));
  const Finished third = gradient("--stage 3 -N 4 -T 6");
  for (const char* part :
       {"coefficient of alpha*beta", "W[2,1] = 5/768", "margin 5/384 > 0", "rows 2..5 with the largest entry at t-1: 4 of 4",
        "(boundary row)", "rows 2..5 with the largest entry at t-1: 0 of 4", "margin 0 (a tie)"})
    CHECK(contains(third.out, part));
  // T = 4: the theorem's conclusion fails at step 2.
  CHECK(contains(gradient("--stage 2 -N 4 -T 4").out, " < 0"));
}
