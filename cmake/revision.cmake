# The git revision, read at every build (not only at configure time), so that results.json never names an old one.
set(revision_source ${CMAKE_BINARY_DIR}/generated/revision.cpp)
add_custom_target(popgrad_revision_file
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${revision_source}
          -DVERSION=${PROJECT_VERSION} -DDATADIR=${CMAKE_INSTALL_FULL_DATADIR}
          -P ${CMAKE_SOURCE_DIR}/cmake/write_revision.cmake
  BYPRODUCTS ${revision_source} VERBATIM)
add_library(popgrad_revision STATIC ${revision_source})
add_dependencies(popgrad_revision popgrad_revision_file)
target_link_libraries(popgrad_revision PUBLIC popgrad_flags)
