#include "runtime/instance.h"

mrwi_instance* mrwi_instance_get(const mrw_context* context, mrw_instance_id id)
{
    return mrwi_slots_get(&context->instances, id.value);
}

mrw_instance_state* mrw_instance_get_state(mrw_context* context, mrw_instance_id id)
{
    mrwi_instance* instance = mrwi_instance_get(context, id);
    return instance == NULL ? NULL : &instance->state;
}

size_t mrwi_instance_scratch(const mrwi_model* model, uint32_t node_capacity)
{
    size_t floats = (size_t)node_capacity * (sizeof(mrwi_affine2) / sizeof(float));
    if (model == NULL) {
        return floats;
    }
    size_t runs = model->part_count * (sizeof(mrw_run) / sizeof(float));
    floats = runs > floats ? runs : floats;
    for (uint32_t i = 0; i < model->part_count; i++) {
        size_t part = 2 * ((size_t)model->parts[i].vertex_count + MRWI_PLAN_SLACK);
        floats = part > floats ? part : floats;
    }
    return floats;
}

void mrwi_instance_set_output(mrwi_instance* instance, float* positions)
{
    instance->output = positions;
    instance->state.positions = positions;
    instance->state.structure_version++;
    instance->must_skin = true;
}
