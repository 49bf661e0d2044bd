# One OBJECT library per folder of src/. Includes are written from src/ ("model/clip.h"), and a layer's only include path is
# a folder of links to itself and to the layers below, so an include that points up or sideways does not compile.

set(MRW_LAYER_INCLUDES ${PROJECT_BINARY_DIR}/layers)

# mrw_add_layer(<name> [SEES <layer>...] [SOURCES <file>...] [BALANCED <file>...] [KERNELS <file>...] [SYSTEM <dir>...])
# KERNELS are sources whose speed counts: they are compiled -O3 where the rest is compiled for size at any price. BALANCED are those that
# -Os leaves as fast as -O3 does, in less room. SYSTEM are include folders of third-party code.
function(mrw_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "SEES;SOURCES;BALANCED;KERNELS;SYSTEM")
  set(includes ${MRW_LAYER_INCLUDES}/${name})
  file(REMOVE_RECURSE ${includes})
  file(MAKE_DIRECTORY ${includes})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/marrow.h ${includes}/marrow.h SYMBOLIC)
  foreach(seen IN LISTS layer_SEES ITEMS ${name})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${seen} ${includes}/${seen} SYMBOLIC)
  endforeach()

  if(NOT layer_SOURCES)
    file(WRITE ${PROJECT_BINARY_DIR}/empty/${name}.c "typedef int mrwi_empty_${name};\n")
    set(layer_SOURCES ${PROJECT_BINARY_DIR}/empty/${name}.c)
  endif()
  add_library(mrw_${name} OBJECT ${layer_SOURCES} ${layer_BALANCED} ${layer_KERNELS})
  set_source_files_properties(${layer_BALANCED} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:MinSizeRel>:-Os>)
  set_source_files_properties(${layer_KERNELS} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:MinSizeRel>:-O3>)
  target_include_directories(mrw_${name} PRIVATE ${includes})
  target_include_directories(mrw_${name} SYSTEM PRIVATE ${layer_SYSTEM})
  target_link_libraries(mrw_${name} PRIVATE mrw_flags)
  target_compile_options(mrw_${name} PRIVATE ${MRW_SIZE_FLAGS})
  set_property(GLOBAL APPEND PROPERTY MRW_LAYERS ${name})
  set_property(GLOBAL PROPERTY MRW_LAYER_${name}_SEES ${layer_SEES})
endfunction()
