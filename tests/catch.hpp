// One include for Catch2 v2 (Debian 12) and v3 (Debian 13).
#pragma once
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#else
#include <catch2/catch.hpp>
#endif

// Catch2 v3 has Approx in its namespace only through this.
#if __has_include(<catch2/catch_approx.hpp>)
using Catch::Approx;
#endif
