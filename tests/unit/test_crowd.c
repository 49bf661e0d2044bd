// A crowd against instances on their own: the same vertices in the crowd's space, in the same order, with the same colors.
#include "support/failing_allocator.h"
#include "support/puppet.h"

#define MAX_MEMBERS 64

// The hand turns and the eye changes its color.
static const puppet_clip wave = { .name = "wave",
    .duration = 2,
    .track_count = 3,
    .tracks = { { "root/arm", "Transform", "rz", 0, 0, 2 }, { "root/arm/hand", "Transform", "sx", 0, 1, 2 },
        { "", "Part", "eye.color", MRW_TRACK_COLOR, 0xffffff, 0x00ff00 } } };

typedef struct gathering {
    puppet at; ///< its own instance is not used
    mrw_crowd_id crowd;
    mrw_crowd_state* state;
    uint32_t clip, count;
    mrw_instance_id members[MAX_MEMBERS], twins[MAX_MEMBERS];
    mrw_instance_state *member_states[MAX_MEMBERS], *twin_states[MAX_MEMBERS];
} gathering;

static uint32_t random_state = 3;
static float random_number(float low, float high)
{
    random_state = random_state * 1664525u + 1013904223u;
    return low + (high - low) * (float)(random_state >> 8) / 16777216.0f;
}

static gathering gather(void)
{
    gathering made = { .at = puppet_open() };
    made.clip = puppet_clip_of(&made.at, &wave);
    CHECK_EQ_INT(mrw_instance_release(made.at.context, made.at.instance), MRW_OK);
    CHECK_EQ_INT(mrw_crowd_create(made.at.context, made.at.world, &made.crowd), MRW_OK);
    made.state = mrw_crowd_get_state(made.at.context, made.crowd);
    CHECK(made.state != NULL);
    return made;
}

/// Adds a member and an instance of its own that is told the same.
static void join(gathering* g)
{
    uint32_t i = g->count++;
    const mrw_instance_desc desc = { .model = g->at.model };
    CHECK_EQ_INT(mrw_crowd_add(g->at.context, g->crowd, g->at.model, &g->members[i]), MRW_OK);
    CHECK_EQ_INT(mrw_instance_create(g->at.context, g->at.world, &desc, &g->twins[i]), MRW_OK);
    g->member_states[i] = mrw_instance_get_state(g->at.context, g->members[i]);
    g->twin_states[i] = mrw_instance_get_state(g->at.context, g->twins[i]);
    const float root[5] = { random_number(-300, 300), random_number(-300, 300), random_number(-3, 3), random_number(0.5f, 2), 1 };
    mrw_instance_state* both[2] = { g->member_states[i], g->twin_states[i] };
    mrw_instance_id ids[2] = { g->members[i], g->twins[i] };
    uint32_t color = (uint32_t)random_number(0, 16777215.0f);
    for (int j = 0; j < 2; j++) {
        memcpy(both[j]->root, root, sizeof root);
        both[j]->order = root[1];
        both[j]->view.color = color;
        both[j]->view.opacity = 0.5f;
        both[j]->view.flip_x = i % 2;
        both[j]->view.flip_y = i % 3 == 0;
        both[j]->dirty = 1;
        const mrw_play_options options = { .speed = 0.25f + 0.1f * (float)i };
        CHECK_EQ_INT(mrw_instance_play(g->at.context, ids[j], g->clip, &options), MRW_OK);
    }
}

static void leave(gathering* g, uint32_t i)
{
    CHECK_EQ_INT(mrw_instance_release(g->at.context, g->members[i]), MRW_OK);
    CHECK_EQ_INT(mrw_instance_release(g->at.context, g->twins[i]), MRW_OK);
    g->count--;
    for (uint32_t j = i; j < g->count; j++) {
        g->members[j] = g->members[j + 1];
        g->twins[j] = g->twins[j + 1];
        g->member_states[j] = g->member_states[j + 1];
        g->twin_states[j] = g->twin_states[j + 1];
    }
}

static void update(gathering* g, double dt)
{
    CHECK_EQ_INT(mrw_world_update(g->at.context, g->at.world, dt), MRW_OK);
}

static uint32_t channel(uint32_t tint, uint32_t part, uint32_t shift)
{
    return (uint32_t)floor((double)(tint >> shift & 0xff) * (double)(part >> shift & 0xff) / 255.0 + 0.5);
}

/// The twin's triangle corner that stands at place `at` of the crowd's list: its position, uv and color must agree.
static void check_corner(const gathering* g, uint32_t twin, uint32_t part, uint32_t corner, uint32_t at)
{
    const mrw_instance_state* state = g->twin_states[twin];
    const mrw_part_state* shown = &state->parts[part];
    uint32_t own = state->indices[shown->first_index + corner];
    uint32_t shared = g->state->indices[at];
    REQUIRE(CHECK(shared < g->state->vertex_count));
    const float* root = state->root;
    if (state->shown.visible == 0 || shown->visible == 0) {
        CHECK(g->state->positions[2 * shared] == root[0] && g->state->positions[2 * shared + 1] == root[1]);
        return;
    }
    double x = (double)state->positions[2 * own] * (state->shown.flip_x ? -1 : 1) * (double)root[3];
    double y = (double)state->positions[2 * own + 1] * (state->shown.flip_y ? -1 : 1) * (double)root[4];
    double c = cos((double)root[2]), s = sin((double)root[2]);
    CHECK_NEAR(g->state->positions[2 * shared], (double)root[0] + c * x - s * y, 1e-2);
    CHECK_NEAR(g->state->positions[2 * shared + 1], (double)root[1] + s * x + c * y, 1e-2);
    CHECK(g->state->uvs[2 * shared] == state->uvs[2 * own] && g->state->uvs[2 * shared + 1] == state->uvs[2 * own + 1]);
    uint32_t tint = state->shown.color;
    uint32_t alpha = (uint32_t)floor((double)state->shown.opacity * (double)shown->opacity * 255.0 + 0.5);
    CHECK_EQ_INT(g->state->colors[shared],
        channel(tint, shown->color, 16) | channel(tint, shown->color, 8) << 8 | channel(tint, shown->color, 0) << 16 | alpha << 24);
}

/// The whole list against the twins, sorted by the simplest means.
static void check_crowd(const gathering* g)
{
    uint32_t order[MAX_MEMBERS];
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t at = i;
        for (; at > 0 && g->twin_states[order[at - 1]]->order > g->twin_states[i]->order; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    CHECK_EQ_INT(g->state->member_count, g->count);
    uint32_t at = 0;
    uint32_t run_count = 0;
    uint32_t page = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const mrw_instance_state* state = g->twin_states[order[i]];
        for (uint32_t part = 0; part < state->part_count; part++) {
            run_count += run_count == 0 || state->parts[part].page != page ? 1 : 0;
            page = state->parts[part].page;
            REQUIRE(CHECK(run_count <= g->state->run_count));
            CHECK_EQ_INT(g->state->runs[run_count - 1].page, page);
            for (uint32_t corner = 0; corner < state->parts[part].index_count; corner++) {
                REQUIRE(CHECK(at < g->state->index_count));
                check_corner(g, order[i], part, corner, at++);
            }
        }
    }
    CHECK_EQ_INT(g->state->index_count, at);
    CHECK_EQ_INT(g->state->run_count, run_count);
    uint32_t covered = 0;
    for (uint32_t i = 0; i < g->state->run_count; i++) {
        const mrw_run* run = &g->state->runs[i];
        CHECK_EQ_INT(run->first_index, covered);
        CHECK(run->color == 0xffffff && run->opacity == 1);
        covered += run->index_count;
        for (uint32_t j = 0; j < run->index_count; j++) {
            uint32_t vertex = g->state->indices[run->first_index + j];
            CHECK(vertex >= run->first_vertex && vertex < run->first_vertex + run->vertex_count);
        }
    }
    CHECK_EQ_INT(covered, g->state->index_count);
}

TEST(members_lie_where_instances_of_their_own_lie)
{
    gathering g = gather();
    for (int i = 0; i < 20; i++) {
        join(&g);
    }
    for (int i = 0; i < 4; i++) {
        update(&g, 0.3);
        check_crowd(&g);
    }
    puppet_close(&g.at);
}

TEST(members_come_and_go_and_keep_their_state)
{
    gathering g = gather();
    for (int i = 0; i < 30; i++) {
        join(&g);
        update(&g, 0.05);
        if (i % 4 == 3) {
            leave(&g, (uint32_t)i / 2 % g.count);
            // Until the next update the old list stands, on memory that is there.
            for (uint32_t j = 0; j < g.state->index_count; j++) {
                CHECK(g.state->indices[j] < g.state->vertex_count);
            }
            update(&g, 0.05);
        }
        check_crowd(&g);
    }
    while (g.count > 0) {
        leave(&g, g.count / 2);
    }
    update(&g, 0);
    check_crowd(&g);
    CHECK_EQ_INT(g.state->index_count, 0);
    join(&g);
    update(&g, 0);
    check_crowd(&g);
    puppet_close(&g.at);
}

TEST(growth_moves_bytes_and_skins_nothing)
{
    gathering g = gather();
    join(&g);
    CHECK_EQ_INT(mrw_instance_pause(g.at.context, g.members[0], true), MRW_OK);
    CHECK_EQ_INT(mrw_instance_pause(g.at.context, g.twins[0], true), MRW_OK);
    update(&g, 0);
    uint32_t version = g.member_states[0]->version;
    const float* positions = g.state->positions;
    while (g.count < MAX_MEMBERS) {
        join(&g);
    }
    CHECK(g.state->positions != positions);
    update(&g, 0.1);
    CHECK_EQ_INT(g.member_states[0]->version, version);
    check_crowd(&g);
    puppet_close(&g.at);
}

TEST(order_visibility_and_colors_change_one_by_one)
{
    gathering g = gather();
    for (int i = 0; i < 24; i++) {
        join(&g);
    }
    update(&g, 0.1);
    for (int round = 0; round < 60; round++) {
        uint32_t i = (uint32_t)random_number(0, 24);
        mrw_instance_state* both[2] = { g.member_states[i], g.twin_states[i] };
        float order = round % 7 == 0 ? (float)(round % 3) : random_number(-300, 300);
        const mrw_part_change change = { .set = 1, .visible = (uint32_t)round % 2 };
        for (int j = 0; j < 2; j++) {
            both[j]->dirty = 1;
            if (round % 3 == 0) {
                both[j]->order = order;
            } else if (round % 3 == 1) {
                both[j]->view.visible = both[j]->view.visible == 0 ? 1 : 0;
            } else {
                both[j]->view.color = (uint32_t)round * 4099u;
                both[j]->view.flip_x = 1 - both[j]->view.flip_x;
            }
        }
        if (round % 5 == 0) {
            CHECK_EQ_INT(mrw_instance_set_part(g.at.context, g.members[i], PUPPET_EYE, &change), MRW_OK);
            CHECK_EQ_INT(mrw_instance_set_part(g.at.context, g.twins[i], PUPPET_EYE, &change), MRW_OK);
        }
        update(&g, round % 4 == 0 ? 0.1 : 0);
        check_crowd(&g);
    }
    puppet_close(&g.at);
}

TEST(nothing_is_rewritten_when_nothing_changes)
{
    gathering g = gather();
    for (int i = 0; i < 6; i++) {
        join(&g);
        CHECK_EQ_INT(mrw_instance_pause(g.at.context, g.members[i], true), MRW_OK);
    }
    update(&g, 0.1);
    const mrw_crowd_state before = *g.state;
    update(&g, 0.1);
    CHECK_EQ_INT(g.state->version, before.version);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    CHECK_EQ_INT(g.state->color_version, before.color_version);
    // A move raises the version of the vertices alone, a tint that of the colors alone.
    g.member_states[2]->root[0] += 5;
    g.member_states[2]->dirty = 1;
    update(&g, 0);
    CHECK_EQ_INT(g.state->version, before.version + 1);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    CHECK_EQ_INT(g.state->color_version, before.color_version);
    g.member_states[2]->view.color ^= 0xff;
    g.member_states[2]->dirty = 1;
    update(&g, 0);
    CHECK_EQ_INT(g.state->version, before.version + 1);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    CHECK_EQ_INT(g.state->color_version, before.color_version + 1);
    // A part that hides changes vertices alone.
    const mrw_part_change hide = { .set = 1, .visible = 0 };
    const mrw_part_change show = { .set = 1, .visible = 1 };
    CHECK_EQ_INT(mrw_instance_set_part(g.at.context, g.members[3], 0, &hide), MRW_OK);
    update(&g, 0);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    CHECK_EQ_INT(g.state->uv_version, before.uv_version);
    CHECK_EQ_INT(g.state->version, before.version + 2);
    update(&g, 0);
    CHECK_EQ_INT(g.state->version, before.version + 2);
    CHECK_EQ_INT(mrw_instance_set_part(g.at.context, g.members[3], 0, &show), MRW_OK);
    update(&g, 0);
    CHECK_EQ_INT(g.state->version, before.version + 3);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    // An order that keeps the sequence changes nothing; one that does not rewrites the list.
    for (int i = 0; i < 6; i++) {
        g.member_states[i]->order *= 2;
        g.member_states[i]->dirty = 1;
    }
    update(&g, 0);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version);
    for (int i = 0; i < 6; i++) {
        g.member_states[i]->order *= -1;
    }
    update(&g, 0);
    CHECK_EQ_INT(g.state->structure_version, before.structure_version + 1);
    CHECK_EQ_INT(g.state->version, before.version + 3);
    puppet_close(&g.at);
}

TEST(ties_go_by_age_and_odd_keys_count_as_zero)
{
    gathering g = gather();
    for (int i = 0; i < 5; i++) {
        join(&g);
        g.member_states[i]->order = i == 2 ? NAN : 0;
        g.twin_states[i]->order = 0;
    }
    update(&g, 0);
    check_crowd(&g);
    g.member_states[0]->order = 1;
    g.member_states[0]->dirty = 1;
    g.twin_states[0]->order = 1;
    update(&g, 0);
    check_crowd(&g);
    g.member_states[0]->order = 0;
    g.member_states[0]->dirty = 1;
    g.twin_states[0]->order = 0;
    update(&g, 0);
    check_crowd(&g);
    puppet_close(&g.at);
}

TEST(updates_never_allocate)
{
    gathering g = gather();
    for (int i = 0; i < 40; i++) {
        join(&g);
    }
    uint64_t allocations = mrw_context_allocations(g.at.context);
    for (int i = 0; i < 20; i++) {
        for (uint32_t j = 0; j < g.count; j++) {
            g.member_states[j]->order = random_number(-100, 100);
            g.member_states[j]->dirty = 1;
        }
        update(&g, 0.02);
    }
    CHECK(mrw_context_allocations(g.at.context) == allocations);
    puppet_close(&g.at);
}

TEST(releasing_a_crowd_releases_its_members)
{
    gathering g = gather();
    join(&g);
    join(&g);
    update(&g, 0);
    CHECK_EQ_INT(mrw_crowd_release(g.at.context, g.crowd), MRW_OK);
    CHECK(mrw_instance_get_state(g.at.context, g.members[0]) == NULL);
    CHECK(mrw_instance_get_state(g.at.context, g.twins[0]) != NULL);
    CHECK(mrw_crowd_get_state(g.at.context, g.crowd) == NULL);
    CHECK_EQ_INT(mrw_crowd_release(g.at.context, g.crowd), MRW_STALE);
    update(&g, 0.1);
    mrw_crowd_id other = { 1 };
    mrw_instance_id instance = { 1 };
    CHECK_EQ_INT(mrw_crowd_add(g.at.context, g.crowd, g.at.model, &instance), MRW_STALE);
    CHECK_EQ_INT(instance.value, 0);
    CHECK_EQ_INT(mrw_crowd_create(g.at.context, (mrw_world_id) { 0 }, &other), MRW_STALE);
    CHECK_EQ_INT(other.value, 0);
    CHECK_EQ_INT(mrw_crowd_create(g.at.context, g.at.world, &other), MRW_OK);
    CHECK_EQ_INT(mrw_crowd_add(g.at.context, other, (mrw_model_id) { 0 }, &instance), MRW_STALE);
    CHECK_EQ_INT(mrw_crowd_add(g.at.context, other, g.at.model, &instance), MRW_OK);
    // The model takes its instances along.
    CHECK_EQ_INT(mrw_model_release(g.at.context, g.at.model), MRW_OK);
    CHECK_EQ_INT(mrw_crowd_get_state(g.at.context, other)->member_count, 0);
    update(&g, 0);
    puppet_close(&g.at);
}

static mrw_result attempt_crowd(mrw_context* context, void* user)
{
    (void)user;
    puppet at;
    mrw_crowd_id crowd = { 0 };
    mrw_result result = puppet_open_in(&at, context);
    if (result == MRW_OK) {
        result = mrw_crowd_create(context, at.world, &crowd);
    }
    for (int i = 0; i < 20 && result == MRW_OK; i++) {
        mrw_instance_id member = { 0 };
        result = mrw_crowd_add(context, crowd, at.model, &member);
        CHECK((member.value != 0) == (result == MRW_OK));
        CHECK_EQ_INT(mrw_crowd_get_state(context, crowd)->member_count, i + (result == MRW_OK ? 1 : 0));
        CHECK_EQ_INT(mrw_world_update(context, at.world, 0.1), MRW_OK);
    }
    return result;
}

TEST(any_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt_crowd, NULL);
}
