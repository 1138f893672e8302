# Everything popgrad compiles against, all of it packaged by Debian (scripts/setup has the package names).
find_package(Eigen3 REQUIRED)
find_package(Boost REQUIRED COMPONENTS iostreams system filesystem)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GINAC REQUIRED ginac)

# Header-only or plain libraries without a CMake package of their own.
function(popgrad_find_header target header)
  find_path(${target}_INCLUDE ${header} REQUIRED)
endfunction()
popgrad_find_header(random123 Random123/philox.h)
popgrad_find_header(gnuplot_iostream gnuplot-iostream.h)
find_library(GMP_LIBRARY gmp REQUIRED)

add_library(Random123 INTERFACE)
target_include_directories(Random123 SYSTEM INTERFACE ${random123_INCLUDE})

add_library(popgrad_flags INTERFACE)
add_library(popgrad::flags ALIAS popgrad_flags)
# -ffp-contract=off: a fused multiply-add would make results depend on the compiler.
target_compile_options(popgrad_flags INTERFACE -Wall -Wextra -Wconversion -Werror -ffp-contract=off)
# g++ 12 reports false overlaps and bounds inside std::string's operator+ once it is inlined (GCC bug 105651).
target_compile_options(popgrad_flags INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-array-bounds>)
# With OpenMP, Eigen would split large products over threads and promise no fixed bits.
target_compile_definitions(popgrad_flags INTERFACE EIGEN_DONT_PARALLELIZE)
target_include_directories(popgrad_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/src)
