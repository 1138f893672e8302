# popgrad_embed(target file header function): compiles the bytes of a file into a target, as std::string_view function()
# declared in the header. The program then finds its default data from the build tree and installed alike.
function(popgrad_embed target file header function)
  set(input ${CMAKE_SOURCE_DIR}/${file})
  set(output ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DHEADER=${header} -DFUNCTION=${function} -P ${script}
    DEPENDS ${input} ${script} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
