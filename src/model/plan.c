#include "model/plan.h"

#include "base/sort.h"

#include <float.h>

/// sizeof(mrwi_affine2); the model layer does not need the type itself.
#define MATRIX_SIZE 32u
/// From this many vertices of a set on, an inner loop pays.
#define SEGMENT_LEAST 12u
/// Below this many vertices, more than one span for an influence count costs more than it saves.
#define SMALL_MESH 300u
#define FIXED_LARGEST 4u

/// Vertices with equal joints: `count` entries of `order` from `first` on.
typedef struct bone_set {
    uint32_t first, count;
    uint32_t kind, influences;
} bone_set;

typedef struct plan_builder {
    mrw_context* context;
    uint32_t vertex_count;
    // influences again, per vertex ascending by joint, each joint once; `end` because merging shortens
    uint32_t *first, *end, *joint;
    float* weight;
    uint32_t *order, *scratch; // as many as there are vertices or influences, whichever is more
    uint32_t set_count;
    bone_set* sets;
    // output of the emitting pass; both arrays are NULL while it only counts
    uint64_t span_count, data_count;
    mrwi_span* spans;
    mrwi_plan_word* data;
    uint32_t* vertex_map;
} plan_builder;

static uint32_t influences_of(const plan_builder* builder, uint32_t vertex)
{
    return builder->end[vertex] - builder->first[vertex];
}

static bool joint_before(const void* user, uint32_t a, uint32_t b)
{
    const plan_builder* builder = user;
    return builder->joint[a] < builder->joint[b];
}

/// By influence count, then by joints; resting vertices and generic ones keep the file's order among themselves.
static int compare_sets(const plan_builder* builder, uint32_t a, uint32_t b)
{
    uint32_t count_a = influences_of(builder, a), count_b = influences_of(builder, b);
    count_a = count_a > FIXED_LARGEST ? FIXED_LARGEST + 1 : count_a;
    count_b = count_b > FIXED_LARGEST ? FIXED_LARGEST + 1 : count_b;
    if (count_a != count_b) {
        return count_a < count_b ? -1 : 1;
    }
    for (uint32_t i = 0; count_a <= FIXED_LARGEST && i < count_a; i++) {
        const uint32_t joint_a = builder->joint[builder->first[a] + i], joint_b = builder->joint[builder->first[b] + i];
        if (joint_a != joint_b) {
            return joint_a < joint_b ? -1 : 1;
        }
    }
    return 0;
}

static bool vertex_before(const void* user, uint32_t a, uint32_t b)
{
    const plan_builder* builder = user;
    return compare_sets(builder, a, b) < 0;
}

/// By influence count, segments before runs, and segments by their number of iterations: an inner loop whose length rarely
/// changes is one the processor predicts.
static bool set_before(const void* user, uint32_t a, uint32_t b)
{
    const plan_builder* builder = user;
    const bone_set *set_a = &builder->sets[a], *set_b = &builder->sets[b];
    if (set_a->influences != set_b->influences) {
        return set_a->influences < set_b->influences;
    }
    if (set_a->kind != set_b->kind) {
        return set_a->kind < set_b->kind;
    }
    return set_a->kind == MRWI_SPAN_SEGMENT && (set_a->count + 3) / 4 < (set_b->count + 3) / 4;
}

/// Copies one vertex's influences in ascending order of joints, adding up equal ones.
static void canonise(plan_builder* builder, const mrwi_influences* influences, uint32_t vertex)
{
    const uint32_t first = influences->first[vertex], count = influences->first[vertex + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        builder->joint[first + i] = influences->joint[first + i];
        builder->order[i] = first + i;
    }
    mrwi_sort(builder->order, builder->scratch, count, joint_before, builder);
    // `joint` is read through the sorted order while it is still as copied, so results are staged in `weight` and `scratch`.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t joint = influences->joint[builder->order[i]];
        const float weight = influences->weight[builder->order[i]];
        if (weight < FLT_MIN && weight > -FLT_MIN) {
            continue;
        }
        if (kept > 0 && builder->scratch[kept - 1] == joint) {
            builder->weight[first + kept - 1] += weight;
        } else {
            builder->scratch[kept] = joint;
            builder->weight[first + kept] = weight;
            kept++;
        }
    }
    for (uint32_t i = 0; i < kept; i++) {
        builder->joint[first + i] = builder->scratch[i];
    }
    builder->first[vertex] = first;
    builder->end[vertex] = first + kept;
}

static void add_set(plan_builder* builder, uint32_t kind, uint32_t first, uint32_t count, uint32_t influences)
{
    if (count > 0) {
        builder->sets[builder->set_count++] = (bone_set) { first, count, kind, influences };
    }
}

/// Cuts vertices of equal joints into what the kernels treat best.
static void cut_set(plan_builder* builder, uint32_t first, uint32_t count, uint32_t influences)
{
    if (influences == 0) {
        add_set(builder, MRWI_SPAN_REST, first, count, influences);
    } else if (influences > FIXED_LARGEST) {
        add_set(builder, MRWI_SPAN_GENERIC, first, count, FIXED_LARGEST + 1);
    } else if (builder->vertex_count < SMALL_MESH) {
        add_set(builder, MRWI_SPAN_RUN, first, count, influences);
    } else {
        const uint32_t rest = count % 4 == 3 ? 0 : count % 4;
        add_set(builder, count >= SEGMENT_LEAST ? MRWI_SPAN_SEGMENT : MRWI_SPAN_QUADS, first, count - rest, influences);
        add_set(builder, rest == 2 ? MRWI_SPAN_TWINS : MRWI_SPAN_RUN, first + count - rest, rest, influences);
    }
}

static void find_sets(plan_builder* builder)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i <= builder->vertex_count; i++) {
        if (i == builder->vertex_count || compare_sets(builder, builder->order[first], builder->order[i]) != 0) {
            cut_set(builder, first, i - first, influences_of(builder, builder->order[first]));
            first = i;
        }
    }
}

static void put(plan_builder* builder, mrwi_plan_word word)
{
    if (builder->data) {
        builder->data[builder->data_count] = word;
    }
    builder->data_count++;
}

static void put_offsets(plan_builder* builder, uint32_t vertex)
{
    for (uint32_t i = builder->first[vertex]; i < builder->end[vertex]; i++) {
        put(builder, (mrwi_plan_word) { .offset = builder->joint[i] * MATRIX_SIZE });
    }
}

/// Weights of `count` vertices of equal influence count, interleaved and padded to `width`.
static void put_weights(plan_builder* builder, const uint32_t* vertices, uint32_t count, uint32_t width)
{
    const uint32_t influences = influences_of(builder, vertices[0]);
    for (uint32_t i = 1; i < influences; i++) {
        for (uint32_t lane = 0; lane < width; lane++) {
            const float weight = lane < count ? builder->weight[builder->first[vertices[lane]] + i] : 0.0f;
            put(builder, (mrwi_plan_word) { .weight = weight });
        }
    }
}

/// Words of one set, or of a whole span where sets do not matter; `vertices` in plan order.
static void emit_data(plan_builder* builder, uint32_t kind, const uint32_t* vertices, uint32_t count)
{
    if (kind == MRWI_SPAN_SEGMENT) {
        put(builder, (mrwi_plan_word) { .count = count });
        put_offsets(builder, vertices[0]);
        for (uint32_t i = 0; i < count; i += 4) {
            put_weights(builder, vertices + i, count - i < 4 ? count - i : 4, 4);
        }
    } else if (kind == MRWI_SPAN_QUADS) {
        for (uint32_t i = 0; i < count; i += 4) {
            const uint32_t some = count - i < 4 ? count - i : 4;
            put(builder, (mrwi_plan_word) { .count = some });
            put_offsets(builder, vertices[i]);
            put_weights(builder, vertices + i, some, 4);
        }
    } else if (kind == MRWI_SPAN_TWINS || kind == MRWI_SPAN_RUN) {
        for (uint32_t i = 0; i < count; i += 2) {
            const bool whole = i + 1 < count;
            put_offsets(builder, vertices[i]);
            if (kind == MRWI_SPAN_RUN) {
                put_offsets(builder, vertices[whole ? i + 1 : i]);
            }
            put_weights(builder, vertices + i, whole ? 2 : 1, 2);
        }
    } else if (kind == MRWI_SPAN_GENERIC) {
        for (uint32_t i = 0; i < count; i++) {
            put(builder, (mrwi_plan_word) { .count = influences_of(builder, vertices[i]) });
            put_offsets(builder, vertices[i]);
            put_weights(builder, vertices + i, 1, 1);
        }
    }
}

static void put_span(plan_builder* builder, const bone_set* set, uint32_t first, uint32_t count, const uint32_t* vertices)
{
    if (builder->spans) {
        mrwi_span* span = &builder->spans[builder->span_count];
        *span = (mrwi_span) { set->kind, set->influences, first, count, (uint32_t)builder->data_count };
        for (uint32_t i = 0; set->kind == MRWI_SPAN_GENERIC && i < count; i++) {
            const uint32_t influences = influences_of(builder, vertices[i]);
            span->influences = influences > span->influences ? influences : span->influences;
        }
    }
    builder->span_count++;
}

/// Walks the sets in their final order. `set_order` is followed twice: to count, and to fill.
static void emit(plan_builder* builder, const uint32_t* set_order)
{
    builder->span_count = builder->data_count = 0;
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < builder->set_count;) {
        const bone_set* set = &builder->sets[set_order[i]];
        uint32_t stop = i, count = 0;
        while (stop < builder->set_count && builder->sets[set_order[stop]].kind == set->kind
            && builder->sets[set_order[stop]].influences == set->influences) {
            const bone_set* member = &builder->sets[set_order[stop++]];
            for (uint32_t k = 0; k < member->count; k++) {
                builder->vertex_map[vertex + count++] = builder->order[member->first + k];
            }
        }
        put_span(builder, set, vertex, count, builder->vertex_map + vertex);
        if (set->kind == MRWI_SPAN_SEGMENT || set->kind == MRWI_SPAN_QUADS) {
            for (; i < stop; i++) {
                const bone_set* member = &builder->sets[set_order[i]];
                emit_data(builder, set->kind, builder->order + member->first, member->count);
            }
        } else {
            emit_data(builder, set->kind, builder->vertex_map + vertex, count);
        }
        i = stop;
        vertex += count;
    }
}

static mrw_result build(plan_builder* builder, mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out)
{
    for (uint32_t v = 0; v < builder->vertex_count; v++) {
        for (uint32_t i = influences->first[v]; i < influences->first[v + 1]; i++) {
            if (influences->joint[i] > UINT32_MAX / MATRIX_SIZE) {
                return MRW_LIMIT;
            }
        }
        canonise(builder, influences, v);
    }
    for (uint32_t v = 0; v < builder->vertex_count; v++) {
        builder->order[v] = v;
    }
    mrwi_sort(builder->order, builder->scratch, builder->vertex_count, vertex_before, builder);
    find_sets(builder);

    uint32_t* set_order = mrwi_allocate(builder->context, builder->set_count, sizeof(uint32_t));
    if (!set_order) {
        return MRW_NO_MEMORY;
    }
    for (uint32_t i = 0; i < builder->set_count; i++) {
        set_order[i] = i;
    }
    mrwi_sort(set_order, builder->scratch, builder->set_count, set_before, builder);
    emit(builder, set_order);

    mrw_result result = MRW_LIMIT;
    if (builder->data_count <= UINT32_MAX) {
        builder->spans = mrwi_arena_allocate(arena, (size_t)builder->span_count, sizeof(mrwi_span));
        builder->data = mrwi_arena_allocate(arena, (size_t)builder->data_count, sizeof(mrwi_plan_word));
        result = builder->spans && builder->data ? MRW_OK : MRW_NO_MEMORY;
    }
    if (result == MRW_OK) {
        emit(builder, set_order);
        *out = (mrwi_plan) { builder->vertex_count, (uint32_t)builder->span_count, (uint32_t)builder->data_count, builder->spans,
            builder->data };
    }
    mrwi_release(builder->context, set_order, builder->set_count, sizeof(uint32_t));
    return result;
}

mrw_result mrwi_plan_build(mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out, uint32_t* vertex_map)
{
    mrw_context* context = arena->context;
    const uint32_t vertex_count = influences->vertex_count;
    const uint32_t influence_count = vertex_count > 0 ? influences->first[vertex_count] : 0;
    const uint32_t larger = vertex_count > influence_count ? vertex_count : influence_count;
    plan_builder builder = { .context = context, .vertex_count = vertex_count, .vertex_map = vertex_map };
    builder.first = mrwi_allocate(context, vertex_count, sizeof(uint32_t));
    builder.end = mrwi_allocate(context, vertex_count, sizeof(uint32_t));
    builder.joint = mrwi_allocate(context, influence_count, sizeof(uint32_t));
    builder.weight = mrwi_allocate(context, influence_count, sizeof(float));
    builder.order = mrwi_allocate(context, larger, sizeof(uint32_t));
    builder.scratch = mrwi_allocate(context, larger, sizeof(uint32_t));
    builder.sets = mrwi_allocate(context, vertex_count, sizeof(bone_set));

    *out = (mrwi_plan) { 0 };
    mrw_result result = MRW_NO_MEMORY;
    if (builder.first && builder.end && builder.joint && builder.weight && builder.order && builder.scratch && builder.sets) {
        result = build(&builder, arena, influences, out);
    }
    mrwi_release(context, builder.first, vertex_count, sizeof(uint32_t));
    mrwi_release(context, builder.end, vertex_count, sizeof(uint32_t));
    mrwi_release(context, builder.joint, influence_count, sizeof(uint32_t));
    mrwi_release(context, builder.weight, influence_count, sizeof(float));
    mrwi_release(context, builder.order, larger, sizeof(uint32_t));
    mrwi_release(context, builder.scratch, larger, sizeof(uint32_t));
    mrwi_release(context, builder.sets, vertex_count, sizeof(bone_set));
    return result;
}
