# popgrad_kernel_flags(target native): how the float kernels are compiled. They hold no Eigen and no header of the project that
# other libraries compile otherwise, so that the linker cannot mix code for different instructions.
#   -ffp-contract=fast makes a * b + c one fused operation; vectors are then as wide as the machine's and give the same bits.
#   -Wno-psabi: vectors of 64 bytes have no fixed convention for calls without AVX-512; all that take them are inlined.
function(popgrad_kernel_flags target native)
  set(flags -O3 -ffp-contract=fast -Wno-psabi)
  if(native)
    list(APPEND flags -march=native)
  endif()
  get_target_property(sources ${target} SOURCES)
  # Of the sources, in the directory of the target, rather than of the target: only these come after the -ffp-contract=off of popgrad_flags.
  set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS ${flags})
endfunction()
