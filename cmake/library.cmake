# The headers that most files parse: precompiled once for all libraries and once more for the tests, which halves the build.
# `scripts/check --compilers` builds without it (CMAKE_DISABLE_PRECOMPILE_HEADERS), so that no file leans on it.
set(popgrad_common_headers <algorithm> <cmath> <cstdint> <functional> <string> <vector>
    <boost/multiprecision/gmp.hpp> <Eigen/Dense>)

# popgrad_library(name folder deps...): the static library popgrad_<name> from every .cpp of a folder.
function(popgrad_library name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    message(FATAL_ERROR "popgrad_library(${name}): no sources in ${folder}")
  endif()
  add_library(popgrad_${name} STATIC ${sources})
  target_link_libraries(popgrad_${name} PUBLIC ${ARGN})
endfunction()

# popgrad_precompile(name...): libraries that share the precompiled headers of the first, which must have the same flags.
function(popgrad_precompile first)
  target_precompile_headers(popgrad_${first} PRIVATE ${popgrad_common_headers})
  foreach(name IN LISTS ARGN)
    target_precompile_headers(popgrad_${name} REUSE_FROM popgrad_${first})
  endforeach()
endfunction()
