# Script mode: cmake -DINPUT=file -DOUTPUT=file.cpp -DHEADER=declaring/header.hpp -DFUNCTION=name -P embed.cmake
# writes a source file that defines std::string_view popgrad::name(), the bytes of the input.
foreach(variable INPUT OUTPUT HEADER FUNCTION)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "embed.cmake: ${variable} is not set")
  endif()
endforeach()
file(READ ${INPUT} bytes HEX)
if(bytes STREQUAL "")
  message(FATAL_ERROR "embed.cmake: ${INPUT} is empty")
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
# About 24 bytes a line. CMake's regular expressions have no counted repetition.
set(eight "0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,")
string(REGEX REPLACE "(${eight}${eight}${eight})" "\\1\n    " bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "// Made by cmake/embed.cmake from ${name}.
#include \"${HEADER}\"

namespace popgrad {
namespace {
constexpr unsigned char bytes[] = {
    ${bytes}};
}  // namespace

std::string_view ${FUNCTION}() { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

}  // namespace popgrad
")
