# Flags travel on interface targets. `mrw_flags` is what every file of ours is compiled and linked with; `mrw_lenient_flags`
# is the part of it that third-party code gets as well (the same arithmetic, the same sanitizers, no warnings of ours).

add_library(mrw_lenient_flags INTERFACE)
# Equal bits on every target: a fused multiply-add rounds once where two operations round twice.
target_compile_options(mrw_lenient_flags INTERFACE -std=c11 -ffp-contract=off)

if(MRW_SIMD)
  target_compile_definitions(mrw_lenient_flags INTERFACE MRW_SIMD=1)
  if(EMSCRIPTEN)
    # Kernels are written by hand. LLVM 14 moves stores before the splat loads that its vectorizers make, so that code with an output
    # which is also an input goes wrong.
    target_compile_options(mrw_lenient_flags INTERFACE -msimd128 -fno-vectorize -fno-slp-vectorize)
    # Every engine with SIMD has these as well; the scalar build is for those without.
    target_compile_options(mrw_lenient_flags INTERFACE -mnontrapping-fptoint -msign-ext -mbulk-memory)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    target_compile_options(mrw_lenient_flags INTERFACE -msse4.1)
  else()
    message(FATAL_ERROR "MRW_SIMD has kernels for x86-64 and WebAssembly only, not for ${CMAKE_SYSTEM_PROCESSOR}")
  endif()
endif()

if(EMSCRIPTEN)
  # What games download. Emscripten keeps LLVM from inlining when it compiles for size, even functions that have one caller.
  # Partial redundancies that it removes cost more copies of code than they save.
  set(MRW_SIZE_FLAGS $<$<CONFIG:MinSizeRel>:-Oz> $<$<CONFIG:MinSizeRel>:-finline-functions>
    "$<$<CONFIG:MinSizeRel>:SHELL:-mllvm -enable-pre=false>")

  # The stack of the shipped binary and of the tests: below the data, so that an overflow traps instead of corrupting it.
  # The option was renamed in 3.1.27.
  if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.27)
    set(MRW_WASM_STACK -sTOTAL_STACK=256KB -Wl,--stack-first)
  else()
    set(MRW_WASM_STACK -sSTACK_SIZE=256KB -Wl,--stack-first)
  endif()
endif()

if(MRW_SANITIZE)
  set(sanitize -fsanitize=${MRW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(mrw_lenient_flags INTERFACE ${sanitize})
  target_link_options(mrw_lenient_flags INTERFACE ${sanitize})
endif()
if(MRW_FUZZ)
  target_compile_options(mrw_lenient_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(mrw_flags INTERFACE)
target_link_libraries(mrw_flags INTERFACE mrw_lenient_flags)
target_compile_options(mrw_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes)
if(MRW_WERROR)
  target_compile_options(mrw_flags INTERFACE -Werror)
endif()
