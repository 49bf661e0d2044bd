#include "model/build.h"

#include <string.h>

void* mrwi_build_keep(mrwi_build* build, size_t count, size_t size)
{
    return mrwi_arena_allocate(&build->model->arena, count, size);
}

void* mrwi_build_scratch(mrwi_build* build, size_t count, size_t size)
{
    return mrwi_arena_allocate(&build->scratch, count, size);
}

const char* mrwi_build_text(mrwi_build* build, const char* text)
{
    return mrwi_arena_text(&build->model->arena, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

mrw_result mrwi_build_memory(const mrwi_build* build)
{
    return build->model->arena.failed || build->scratch.failed ? MRW_NO_MEMORY : MRW_OK;
}
