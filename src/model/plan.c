#include "model/plan.h"

#include "base/sort.h"

#include <string.h>

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
    uint32_t kind, influences; ///< as of the span that it goes to
} bone_set;

typedef struct plan_builder {
    uint32_t vertex_count;
    const uint32_t* first; ///< of each vertex's influences
    // influences again, per vertex ascending by joint
    uint32_t* joint;
    float* weight;
    uint32_t *order, *scratch;
    uint32_t set_count;
    bone_set* sets;
    // output of the emitting pass; both arrays are NULL while it only counts
    size_t span_count, data_count;
    mrwi_span* spans;
    mrwi_plan_word* data;
    uint32_t* vertex_map;
} plan_builder;

static uint32_t influences_of(const plan_builder* builder, uint32_t vertex)
{
    return builder->first[vertex + 1] - builder->first[vertex];
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
    return compare_sets(user, a, b) < 0;
}

/// Sets of one span have equal ranks, and spans ascend in them: by influence count, then by kind.
static uint32_t rank_of(const bone_set* set)
{
    return set->influences * (MRWI_SPAN_GENERIC + 1) + set->kind;
}

/// Segments by their number of iterations: an inner loop whose length rarely changes is one the processor predicts.
static bool set_before(const void* user, uint32_t a, uint32_t b)
{
    const bone_set* sets = user;
    const uint32_t rank_a = rank_of(&sets[a]), rank_b = rank_of(&sets[b]);
    if (rank_a != rank_b) {
        return rank_a < rank_b;
    }
    return sets[a].kind == MRWI_SPAN_SEGMENT && (sets[a].count + 3) / 4 < (sets[b].count + 3) / 4;
}

/// Copies the influences, those of a vertex in ascending order of joints. False when an offset does not fit.
static bool copy_influences(plan_builder* builder, const mrwi_influences* influences)
{
    for (uint32_t v = 0; v < builder->vertex_count; v++) {
        const uint32_t first = builder->first[v];
        for (uint32_t i = first; i < builder->first[v + 1]; i++) {
            const uint32_t joint = influences->joint[i];
            if (joint > UINT32_MAX / MATRIX_SIZE) {
                return false;
            }
            uint32_t at = i;
            for (; at > first && builder->joint[at - 1] > joint; at--) {
                builder->joint[at] = builder->joint[at - 1];
                builder->weight[at] = builder->weight[at - 1];
            }
            builder->joint[at] = joint;
            builder->weight[at] = influences->weight[i];
        }
    }
    return true;
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
        for (uint32_t i = first; i < first + count; i++) {
            const uint32_t own = influences_of(builder, builder->order[i]);
            influences = own > influences ? own : influences;
        }
        add_set(builder, MRWI_SPAN_GENERIC, first, count, influences);
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
    for (uint32_t i = builder->first[vertex]; i < builder->first[vertex + 1]; i++) {
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

/// Words of one set, or of a whole span of runs; `vertices` in plan order.
static void put_words(plan_builder* builder, uint32_t kind, const uint32_t* vertices, uint32_t count)
{
    static const uint8_t widths[]
        = { [MRWI_SPAN_SEGMENT] = 4, [MRWI_SPAN_QUADS] = 4, [MRWI_SPAN_TWINS] = 2, [MRWI_SPAN_RUN] = 2, [MRWI_SPAN_GENERIC] = 1 };
    const uint32_t width = widths[kind];
    for (uint32_t i = 0; width > 0 && i < count; i += width) {
        const uint32_t some = count - i < width ? count - i : width;
        if (kind != MRWI_SPAN_SEGMENT || i == 0) {
            if (width == 4) {
                put(builder, (mrwi_plan_word) { .count = kind == MRWI_SPAN_SEGMENT ? count : some });
            } else if (width == 1) {
                put(builder, (mrwi_plan_word) { .count = influences_of(builder, vertices[i]) });
            }
            put_offsets(builder, vertices[i]);
            if (kind == MRWI_SPAN_RUN) {
                put_offsets(builder, vertices[i + some - 1]);
            }
        }
        put_weights(builder, vertices + i, some, width);
    }
}

/// Walks the sets in their final order, which is followed twice: to count, and to fill.
static void emit(plan_builder* builder, const uint32_t* set_order)
{
    builder->span_count = builder->data_count = 0;
    mrwi_span span = { 0 };
    for (uint32_t i = 0; i < builder->set_count; i++) {
        const bone_set* set = &builder->sets[set_order[i]];
        const uint32_t* vertices = builder->order + set->first;
        memcpy(builder->vertex_map + span.first + span.count, vertices, set->count * sizeof *vertices);
        if (span.count == 0) {
            span = (mrwi_span) { set->kind, set->influences, span.first, 0, (uint32_t)builder->data_count };
        }
        span.count += set->count;
        const bool is_last = i + 1 == builder->set_count || rank_of(&builder->sets[set_order[i + 1]]) != rank_of(set);
        if (set->kind != MRWI_SPAN_RUN) {
            put_words(builder, set->kind, vertices, set->count);
        } else if (is_last) {
            put_words(builder, set->kind, builder->vertex_map + span.first, span.count);
        }
        if (is_last) {
            if (builder->spans) {
                builder->spans[builder->span_count] = span;
            }
            builder->span_count++;
            span.first += span.count;
            span.count = 0;
        }
    }
}

static void sort_all(uint32_t* items, uint32_t* scratch, uint32_t count, mrwi_is_before* is_before, const void* user)
{
    for (uint32_t i = 0; i < count; i++) {
        items[i] = i;
    }
    mrwi_sort(items, scratch, count, is_before, user);
}

static mrw_result build(plan_builder* builder, mrwi_arena* scratch, mrwi_arena* arena, const mrwi_influences* influences)
{
    const uint32_t vertex_count = influences->vertex_count, influence_count = influences->first[vertex_count];
    builder->joint = mrwi_arena_allocate(scratch, influence_count, sizeof(uint32_t));
    builder->weight = mrwi_arena_allocate(scratch, influence_count, sizeof(float));
    builder->order = mrwi_arena_allocate(scratch, vertex_count, sizeof(uint32_t));
    builder->sets = mrwi_arena_allocate(scratch, vertex_count, sizeof(bone_set));
    uint32_t* set_order = mrwi_arena_allocate(scratch, vertex_count, sizeof(uint32_t));
    uint32_t* spare = mrwi_arena_allocate(scratch, vertex_count, sizeof(uint32_t));
    if (scratch->failed) {
        return MRW_NO_MEMORY;
    }
    if (!copy_influences(builder, influences)) {
        return MRW_LIMIT;
    }
    sort_all(builder->order, spare, vertex_count, vertex_before, builder);
    find_sets(builder);
    sort_all(set_order, spare, builder->set_count, set_before, builder->sets);
    emit(builder, set_order);
    if (builder->data_count > UINT32_MAX) {
        return MRW_LIMIT;
    }
    builder->spans = mrwi_arena_allocate(arena, builder->span_count, sizeof(mrwi_span));
    builder->data = mrwi_arena_allocate(arena, builder->data_count, sizeof(mrwi_plan_word));
    if (arena->failed) {
        return MRW_NO_MEMORY;
    }
    emit(builder, set_order);
    return MRW_OK;
}

mrw_result mrwi_plan_build(mrwi_arena* arena, const mrwi_influences* influences, mrwi_plan* out, uint32_t* vertex_map)
{
    plan_builder builder = { .vertex_count = influences->vertex_count, .first = influences->first, .vertex_map = vertex_map };
    mrwi_arena scratch;
    mrwi_arena_init(&scratch, arena->context);
    mrw_result result = build(&builder, &scratch, arena, influences);
    mrwi_arena_release(&scratch);
    *out = (mrwi_plan) { 0 };
    if (result == MRW_OK) {
        *out
            = (mrwi_plan) { builder.vertex_count, (uint32_t)builder.span_count, (uint32_t)builder.data_count, builder.spans, builder.data };
    }
    return result;
}
