#include "rig.h"

#include <string.h>

#include "math/trig.h"

static rig shared;

double rig_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

uint32_t rig_random_below(uint32_t* state, uint32_t limit)
{
    return (uint32_t)(rig_random(state) * limit);
}

rig* rig_begin(void)
{
    memset(&shared, 0, sizeof(shared));
    shared.context = mrw_context_create(NULL);
    mrwi_arena_init(&shared.arena, shared.context);
    return &shared;
}

void rig_free(rig* r)
{
    mrwi_arena_release(&r->arena);
    mrw_context_destroy(r->context);
}

void rig_add(rig* r, uint32_t* state, uint32_t count, const uint32_t* joints)
{
    const uint32_t vertex = r->influences.vertex_count++;
    const uint32_t first = r->first[vertex];
    double sum = 0, weight[RIG_MAX_INFLUENCES];
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = 0.05 + rig_random(state);
        sum += weight[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        r->joint[first + i] = joints[i];
        r->weight[first + i] = (float)(weight[i] / sum);
    }
    r->position[2 * vertex] = (float)(rig_random(state) * 400 - 200);
    r->position[2 * vertex + 1] = (float)(rig_random(state) * 400 - 200);
    r->first[vertex + 1] = first + count;
}

void rig_fill(rig* r, uint32_t seed, uint32_t vertex_count, uint32_t joint_count, uint32_t most_influences)
{
    uint32_t state = seed;
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t joints[RIG_MAX_INFLUENCES];
        const uint32_t limit = most_influences < joint_count ? most_influences : joint_count;
        const uint32_t count = rig_random_below(&state, limit + 1);
        const uint32_t base = rig_random_below(&state, joint_count);
        for (uint32_t i = 0; i < count; i++) {
            joints[count - 1 - i] = (base + i) % joint_count;
        }
        rig_add(r, &state, count, joints);
    }
    rig_random_palette(r, seed + 1);
}

void rig_random_palette(rig* r, uint32_t seed)
{
    uint32_t state = seed;
    for (uint32_t j = 0; j < RIG_MAX_JOINTS; j++) {
        const float scale = (float)(0.8 + 0.4 * rig_random(&state));
        const float x = (float)(rig_random(&state) * 100 - 50), y = (float)(rig_random(&state) * 100 - 50);
        float sine, cosine;
        mrwi_sincosf((float)(rig_random(&state) * 2 - 1), &sine, &cosine);
        r->palette[j] = (mrwi_affine2) { cosine * scale, sine * scale, -sine, cosine, x, y, { 0, 0 } };
    }
}

mrw_result rig_plan(rig* r)
{
    r->influences.first = r->first;
    r->influences.joint = r->joint;
    r->influences.weight = r->weight;
    const mrw_result result = mrwi_plan_build(&r->arena, &r->influences, &r->plan, r->map);
    for (uint32_t i = 0; result == MRW_OK && i < r->influences.vertex_count; i++) {
        memcpy(r->source + 2 * i, r->position + 2 * r->map[i], 2 * sizeof(float));
    }
    return result;
}

void rig_reference(const rig* r, uint32_t vertex, const mrwi_affine2* root, double out[2])
{
    const double x = r->position[2 * vertex], y = r->position[2 * vertex + 1];
    const uint32_t first = r->first[vertex], end = r->first[vertex + 1];
    out[0] = out[1] = 0;
    if (first == end) {
        out[0] = root ? root->a * x + root->c * y + root->e : x;
        out[1] = root ? root->b * x + root->d * y + root->f : y;
    }
    for (uint32_t i = first; i < end; i++) {
        const mrwi_affine2* m = &r->palette[r->joint[i]];
        out[0] += r->weight[i] * (m->a * x + m->c * y + m->e);
        out[1] += r->weight[i] * (m->b * x + m->d * y + m->f);
    }
}
