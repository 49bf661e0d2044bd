# Finds any Emscripten: an activated emsdk first, then whatever `emcc` the path has. Plain `cmake --preset wasm` is enough.

if(DEFINED ENV{EMSDK} AND EXISTS "$ENV{EMSDK}/upstream/emscripten/cmake/Modules/Platform/Emscripten.cmake")
  set(mrw_emscripten_root "$ENV{EMSDK}/upstream/emscripten")
else()
  find_program(MRW_EMCC emcc NO_CMAKE_FIND_ROOT_PATH)
  if(NOT MRW_EMCC)
    message(FATAL_ERROR "emcc not found: activate an emsdk, or install emscripten")
  endif()
  get_filename_component(mrw_emcc_dir "${MRW_EMCC}" DIRECTORY)
  execute_process(COMMAND "${mrw_emcc_dir}/em-config" EMSCRIPTEN_ROOT
    OUTPUT_VARIABLE mrw_emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

# Debian's package finds acorn only through NODE_PATH. Setting it here serves the checks at configure time; the launcher
# serves links however the build is started (a preset's environment would not reach a bare `ninja`).
if(EXISTS /usr/share/nodejs/acorn AND mrw_emscripten_root STREQUAL "/usr/share/emscripten")
  set(ENV{NODE_PATH} /usr/share/nodejs)
  set(CMAKE_C_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;NODE_PATH=/usr/share/nodejs")
endif()

include("${mrw_emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
