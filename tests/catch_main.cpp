// The tests' own main: a filter that matches nothing and a test without an assertion both fail.
// Catch2 v2 accepts only one -w on its command line, so the warnings are set here for both versions.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  Catch::Session session;
  const int bad = session.applyCommandLine(argc, argv);
  if (bad != 0) return bad;
  auto& warnings = session.configData().warnings;
#if __has_include(<catch2/catch_session.hpp>)
  warnings = static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | Catch::WarnAbout::UnmatchedTestSpec);
#else
  warnings = static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | Catch::WarnAbout::NoTests);
#endif
  return session.run();
}
