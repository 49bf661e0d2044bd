#include "model/build.h"

#include <string.h>

void* mrwi_build_keep(mrwi_build* build, size_t count, size_t size)
{
    return mrwi_arena_allocate(&build->model->arena, count > 0 ? count : 1, size);
}

void* mrwi_build_scratch(mrwi_build* build, size_t count, size_t size)
{
    return mrwi_arena_allocate(&build->scratch, count > 0 ? count : 1, size);
}

const char* mrwi_build_text(mrwi_build* build, const char* text)
{
    return mrwi_arena_text(&build->model->arena, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}
