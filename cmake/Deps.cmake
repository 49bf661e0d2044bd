# Third-party C sources. First choice: third_party/src, filled by tools/setup.mjs from the distribution's source packages.
# Otherwise FetchContent gets the same versions; SOURCE_SUBDIR names a folder that does not exist, so that only the sources
# are populated and none of their build files run.

include(FetchContent)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW) # unpacked files are as old as the unpacking
endif()

# mrw_find_sources(<out> <folder of third_party/src> <file it must hold> <FetchContent arguments>...)
function(mrw_find_sources out folder file)
  set(local ${PROJECT_SOURCE_DIR}/third_party/src/${folder})
  if(EXISTS ${local}/${file})
    set(${out} ${local} PARENT_SCOPE)
    return()
  endif()
  message(STATUS "third_party/src/${folder} is missing (node tools/setup.mjs fills it): fetching it instead")
  FetchContent_Declare(mrw_${folder} ${ARGN} SOURCE_SUBDIR sources-only)
  FetchContent_MakeAvailable(mrw_${folder})
  set(${out} ${mrw_${folder}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

mrw_find_sources(MRW_CJSON_DIR cjson cJSON.c
  URL https://github.com/DaveGamble/cJSON/archive/refs/tags/v1.7.15.tar.gz
  URL_HASH SHA256=5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2)
mrw_find_sources(MRW_STB_DIR libstb stb_image.h
  GIT_REPOSITORY https://github.com/nothings/stb.git GIT_TAG 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55)

add_library(mrw_cjson OBJECT ${MRW_CJSON_DIR}/cJSON.c)
target_link_libraries(mrw_cjson PRIVATE mrw_lenient_flags)
target_compile_options(mrw_cjson PRIVATE ${MRW_SIZE_FLAGS})
# What it takes from the C library, io/json.c gives: memory comes from an arena; it reads zeros only, and strtod is a tenth of what a game
# downloads.
target_compile_definitions(mrw_cjson PRIVATE malloc=mrwi_json_allocate free=mrwi_json_keep realloc=mrwi_json_reallocate strtod=mrwi_json_zero)
