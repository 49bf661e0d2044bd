#include "base/context.h"
#include "check.h"
#include "model/document.h"
#include "model/rest.h"
#include "support/failing_allocator.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BONES = 12, MOST = 64 };

static uint32_t next_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static double random_between(uint32_t* state, double low, double high)
{
    return low + (high - low) * (next_random(state) % 4096) / 4096;
}

// A rig of two parts over one skeleton; vertex v of part p has v % 4 + 1 influences, or six for every fifth.
typedef struct rig {
    mrw_context* context;
    mrw_document* document;
} rig;

#define VERTICES 20
#define MOST_SLOTS (VERTICES * 6)

static uint32_t fill_mesh(uint32_t* state, uint32_t bone_count, mrw_mesh_desc* mesh, uint32_t* first, uint32_t* joints, double* weights)
{
    static const float points[VERTICES * 2];
    uint32_t count = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        first[v] = count;
        uint32_t influences = v % 5 == 4 ? 6 : v % 4 + 1;
        uint32_t start = next_random(state);
        for (uint32_t i = 0; i < influences; i++) {
            joints[count] = (start + i) % bone_count;
            weights[count++] = random_between(state, 0.01, 1);
        }
    }
    first[VERTICES] = count;
    *mesh = (mrw_mesh_desc) {
        .vertex_count = VERTICES,
        .influence_count = count,
        .positions = points,
        .uvs = points,
        .influence_first = first,
        .influence_joint = joints,
        .influence_weight = weights,
    };
    return count;
}

static mrw_result rig_begin(mrw_context* context, uint32_t seed, rig* out)
{
    uint32_t state = seed;
    mrw_node_desc nodes[BONES] = { 0 };
    static const char* const names[BONES] = { "hip", "bone1", "bone3", "neck", "head", "a", "b", "c", "d", "e", "f", "g" };
    for (uint32_t i = 0; i < BONES; i++) {
        nodes[i].name = names[i];
        nodes[i].parent = i == 0 ? -1 : (int32_t)(next_random(&state) % i);
        nodes[i].x = random_between(&state, -50, 50);
        nodes[i].y = random_between(&state, -50, 50);
        nodes[i].rotation = random_between(&state, -3, 3);
    }
    mrw_mesh_desc meshes[2];
    uint32_t first[2][VERTICES + 1];
    uint32_t joints[2][MOST_SLOTS];
    double weights[2][MOST_SLOTS];
    for (int i = 0; i < 2; i++) {
        fill_mesh(&state, BONES, &meshes[i], first[i], joints[i], weights[i]);
    }
    const mrw_part_desc parts[2] = { { .name = "body", .mesh = 0, .sprite = "" }, { .name = "cape", .mesh = 1, .sprite = "", .order = 1 } };
    const mrw_skin_desc skin = { 0 };
    mrw_model_desc desc = { .node_count = BONES,
        .mesh_count = 2,
        .skin_count = 1,
        .part_count = 2,
        .nodes = nodes,
        .meshes = meshes,
        .skins = &skin,
        .parts = parts,
        .file_version = 2 };
    out->context = context;
    return mrw_document_from_model_desc(context, &desc, &out->document);
}

static bool rig_open(rig* out, uint32_t seed)
{
    mrw_context* context = mrw_context_create(NULL);
    return CHECK(context != NULL) && CHECK_EQ_INT(rig_begin(context, seed, out), MRW_OK);
}

static void rig_close(rig* r)
{
    mrw_document_release(r->document);
    mrw_context_destroy(r->context);
}

static const mrw_model_desc* model_of(const rig* r)
{
    return mrw_document_model(r->document);
}

static void rest_of(const rig* r, double (*out)[6])
{
    REQUIRE(model_of(r)->node_count <= MOST);
    CHECK_EQ_INT(mrwi_rest_resolve(r->context, model_of(r)->nodes, model_of(r)->node_count, NULL, out), MRW_OK);
}

static int32_t find_bone(const rig* r, const char* name)
{
    for (uint32_t i = 0; i < model_of(r)->node_count; i++) {
        if (strcmp(model_of(r)->nodes[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

// Every bone that both poses have stands where it stood. `skip`: a bone of `before` that is gone, or -1.
static void check_same_pose(const rig* r, double (*before)[6], const mrw_node_desc* nodes_before, uint32_t count_before, int32_t skip)
{
    double after[MOST][6];
    rest_of(r, after);
    for (uint32_t i = 0; i < count_before; i++) {
        if ((int32_t)i == skip) {
            continue;
        }
        int32_t now = find_bone(r, nodes_before[i].name);
        REQUIRE(now >= 0);
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(after[now][k], before[i][k], 1e-9);
        }
    }
}

static double weight_of(const mrw_mesh_desc* mesh, uint32_t v, uint32_t bone)
{
    double sum = 0;
    for (uint32_t i = mesh->influence_first[v]; i < mesh->influence_first[v + 1]; i++) {
        sum += mesh->influence_joint[i] == bone ? mesh->influence_weight[i] : 0;
    }
    return sum;
}

TEST(edits_refuse_what_is_no_editable_rig)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    mrw_document* clip = mrwi_document_create(context, MRWI_DOCUMENT_CLIP);
    uint32_t bone = 77;
    bool changed = true;
    CHECK_EQ_INT(mrw_edit_add_bone(clip, -1, 0, 0, &bone), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_add_bone(NULL, -1, 0, 0, &bone), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_remove_bone(clip, 0, &changed), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_reparent_bone(clip, 0, -1, &changed), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_set_bone(clip, 0, 0, 0, 0, &changed), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_rename_bone(clip, 0, "a", &changed), MRW_BAD_ARGUMENT);
    mrw_document_release(clip);

    static const uint32_t joint = 0;
    const mrw_node_desc node = { .name = "a", .parent = -1 };
    const mrw_skin_desc skin = { .joint_count = 1, .joints = &joint };
    mrw_model_desc desc = { .node_count = 1, .skin_count = 1, .nodes = &node, .skins = &skin };
    mrw_document* listed;
    REQUIRE(mrw_document_from_model_desc(context, &desc, &listed) == MRW_OK);
    CHECK_EQ_INT(mrw_edit_remove_bone(listed, 0, &changed), MRW_UNSUPPORTED);
    mrw_document_release(listed);
    CHECK_EQ_INT(bone, 77);
    CHECK(changed);
    mrw_context_destroy(context);
}

TEST(edits_refuse_bad_numbers_and_names)
{
    rig r;
    REQUIRE(rig_open(&r, 1));
    uint32_t bone = 77;
    bool changed = true;
    CHECK_EQ_INT(mrw_edit_add_bone(r.document, 0, (double)NAN, 0, &bone), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_add_bone(r.document, 0, 0, 1e39, &bone), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(mrw_edit_set_bone(r.document, 0, 0, 0, (double)INFINITY, &changed), MRW_BAD_ARGUMENT);
    CHECK_EQ_INT(model_of(&r)->node_count, BONES);
    CHECK_EQ_INT(bone, 77);
    CHECK(changed);
    CHECK_EQ_INT(mrw_edit_set_bone(r.document, BONES, 0, 0, 0, &changed), MRW_OK);
    CHECK(!changed);
    CHECK_EQ_INT(mrw_edit_remove_bone(r.document, BONES, &changed), MRW_OK);
    CHECK(!changed);
    CHECK_EQ_INT(mrw_edit_rename_bone(r.document, 0, " \t\n", &changed), MRW_OK);
    CHECK(!changed);
    CHECK_EQ_INT(mrw_edit_rename_bone(r.document, BONES, "a", &changed), MRW_OK);
    CHECK(!changed);
    CHECK_STR(model_of(&r)->nodes[0].name, "hip");
    CHECK_EQ_INT(mrw_edit_rename_bone(r.document, 0, "  left hip\n", &changed), MRW_OK);
    CHECK(changed);
    CHECK_STR(model_of(&r)->nodes[0].name, "left hip");
    rig_close(&r);
}

TEST(added_bones_get_the_first_free_name)
{
    rig r;
    REQUIRE(rig_open(&r, 2));
    // bone1 and bone3 are taken.
    static const char* const expected[4] = { "bone2", "bone4", "bone5", "bone6" };
    static const int32_t parents[4] = { 3, -1, -7, 1000 };
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bone;
        CHECK_EQ_INT(mrw_edit_add_bone(r.document, parents[i], 1 + i, 2, &bone), MRW_OK);
        CHECK_EQ_INT(bone, BONES + i);
        const mrw_node_desc* node = &model_of(&r)->nodes[bone];
        CHECK_STR(node->name, expected[i]);
        CHECK_EQ_INT(node->parent, i == 0 ? 3 : -1);
        CHECK_NEAR(node->x, 1 + i, 0);
        CHECK_NEAR(node->y, 2, 0);
    }
    rig_close(&r);
}

// A parent that names the next index must not come to life when that bone is added.
TEST(parents_out_of_range_stay_dead)
{
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    const mrw_node_desc nodes[3]
        = { { .name = "a", .parent = 3, .x = 1 }, { .name = "b", .parent = 2, .x = 2 }, { .name = "c", .parent = 1, .x = 3 } };
    mrw_model_desc desc = { .node_count = 3, .nodes = nodes };
    mrw_document* document;
    REQUIRE(mrw_document_from_model_desc(context, &desc, &document) == MRW_OK);
    uint32_t bone;
    CHECK_EQ_INT(mrw_edit_add_bone(document, 0, 5, 0, &bone), MRW_OK);
    const mrw_node_desc* after = mrw_document_model(document)->nodes;
    CHECK_EQ_INT(after[0].parent, -1);
    // Of b -> c -> b the walk from b finds c first, whose parent is on the walk: c is the root.
    CHECK_EQ_INT(after[1].parent, 2);
    CHECK_EQ_INT(after[2].parent, -1);
    CHECK_EQ_INT(after[3].parent, 0);
    mrw_document_release(document);
    mrw_context_destroy(context);
}

TEST(the_limit_of_nodes_holds)
{
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = { .nodes = BONES + 1 } });
    REQUIRE(context != NULL);
    rig r;
    REQUIRE(rig_begin(context, 3, &r) == MRW_OK);
    uint32_t bone;
    CHECK_EQ_INT(mrw_edit_add_bone(r.document, 0, 0, 0, &bone), MRW_OK);
    CHECK_EQ_INT(mrw_edit_add_bone(r.document, 0, 0, 0, &bone), MRW_LIMIT);
    CHECK_EQ_INT(model_of(&r)->node_count, BONES + 1);
    rig_close(&r);
}

// 0 at (10, 0) turned by 90 degrees, 1 on it at (5, 0), 2 on 1 at (0, 2) turned by 30 degrees. Without 1 the tip hangs on 0 at
// (5, 0) + (0, 2), in the frame of 0: nothing is turned there. Without 0 the middle stands at (10, 0) + R90 (5, 0) = (10, 5).
TEST(removing_keeps_joints_in_place_by_hand)
{
    const double quarter = 1.5707963267948966;
    const mrw_node_desc nodes[3] = { { .name = "a", .parent = -1, .x = 10, .rotation = quarter }, { .name = "b", .parent = 0, .x = 5 },
        { .name = "c", .parent = 1, .y = 2, .rotation = 0.5 } };
    mrw_model_desc desc = { .node_count = 3, .nodes = nodes };
    mrw_context* context = mrw_context_create(NULL);
    REQUIRE(context != NULL);
    for (uint32_t removed = 0; removed < 2; removed++) {
        mrw_document* document;
        REQUIRE(mrw_document_from_model_desc(context, &desc, &document) == MRW_OK);
        bool changed;
        CHECK_EQ_INT(mrw_edit_remove_bone(document, removed, &changed), MRW_OK);
        const mrw_node_desc* after = mrw_document_model(document)->nodes;
        REQUIRE(mrw_document_model(document)->node_count == 2);
        const mrw_node_desc* child = &after[removed == 0 ? 0 : 1];
        CHECK_EQ_INT(child->parent, removed == 0 ? -1 : 0);
        CHECK_NEAR(child->x, removed == 0 ? 10 : 5, 1e-12);
        CHECK_NEAR(child->y, removed == 0 ? 5 : 2, 1e-12);
        CHECK_NEAR(child->rotation, removed == 0 ? quarter : 0.5, 1e-15);
        mrw_document_release(document);
    }
    mrw_context_destroy(context);
}

TEST(removing_keeps_every_other_bone_in_place)
{
    for (uint32_t removed = 0; removed < BONES; removed++) {
        rig r;
        REQUIRE(rig_open(&r, 10 + removed));
        mrw_node_desc nodes[BONES];
        double before[MOST][6];
        memcpy(nodes, model_of(&r)->nodes, sizeof nodes);
        rest_of(&r, before);
        bool changed = false;
        CHECK_EQ_INT(mrw_edit_remove_bone(r.document, removed, &changed), MRW_OK);
        CHECK(changed);
        CHECK_EQ_INT(model_of(&r)->node_count, BONES - 1);
        check_same_pose(&r, before, nodes, BONES, (int32_t)removed);
        rig_close(&r);
    }
}

// In every part: a vertex that the bone held sums to one with at most four bones, its parent has what both had when nothing was
// cut, and every other vertex keeps its weights bit for bit.
TEST(removing_gives_weights_to_the_parent)
{
    for (uint32_t removed = 0; removed < BONES; removed++) {
        rig before;
        rig after;
        REQUIRE(rig_open(&before, 30 + removed) && rig_open(&after, 30 + removed));
        int32_t parent = model_of(&before)->nodes[removed].parent;
        bool changed;
        CHECK_EQ_INT(mrw_edit_remove_bone(after.document, removed, &changed), MRW_OK);
        for (uint32_t m = 0; m < 2; m++) {
            const mrw_mesh_desc* old = &model_of(&before)->meshes[m];
            const mrw_mesh_desc* now = &model_of(&after)->meshes[m];
            CHECK_EQ_INT(now->influence_count, now->influence_first[VERTICES]);
            for (uint32_t v = 0; v < VERTICES; v++) {
                uint32_t old_count = old->influence_first[v + 1] - old->influence_first[v];
                uint32_t count = now->influence_first[v + 1] - now->influence_first[v];
                double gone = weight_of(old, v, removed);
                double sum = 0;
                for (uint32_t i = 0; i < count; i++) {
                    sum += now->influence_weight[now->influence_first[v] + i];
                    CHECK(now->influence_joint[now->influence_first[v] + i] < BONES - 1);
                }
                if (gone > 0) {
                    CHECK(count >= 1 && count <= 4);
                    CHECK_NEAR(sum, 1, 1e-12);
                } else {
                    CHECK_EQ_INT(count, old_count);
                    CHECK_BYTES(&now->influence_weight[now->influence_first[v]], &old->influence_weight[old->influence_first[v]],
                        count * sizeof(double));
                }
                if (gone > 0 && parent >= 0 && old_count <= 4) {
                    double total = 0;
                    for (uint32_t i = old->influence_first[v]; i < old->influence_first[v + 1]; i++) {
                        total += old->influence_weight[i];
                    }
                    uint32_t index = (uint32_t)parent > removed ? (uint32_t)parent - 1 : (uint32_t)parent;
                    CHECK_NEAR(weight_of(now, v, index), (gone + weight_of(old, v, (uint32_t)parent)) / total, 1e-12);
                }
            }
        }
        rig_close(&after);
        rig_close(&before);
    }
}

// Down to no bone and up again: a vertex always has bone 0, and the document stays good enough to build from.
TEST(removing_all_and_adding_again)
{
    rig r;
    REQUIRE(rig_open(&r, 50));
    for (uint32_t left = BONES; left > 0; left--) {
        bool changed = false;
        CHECK_EQ_INT(mrw_edit_remove_bone(r.document, (left * 7) % left, &changed), MRW_OK);
        CHECK(changed);
    }
    CHECK_EQ_INT(model_of(&r)->node_count, 0);
    uint32_t bone;
    CHECK_EQ_INT(mrw_edit_add_bone(r.document, -1, 3, 4, &bone), MRW_OK);
    CHECK_EQ_INT(bone, 0);
    CHECK_STR(model_of(&r)->nodes[0].name, "bone1");
    for (uint32_t m = 0; m < 2; m++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            CHECK_NEAR(weight_of(&model_of(&r)->meshes[m], v, 0), 1, 1e-12);
        }
    }
    mrw_model_id model;
    CHECK_EQ_INT(mrw_model_create(r.context, model_of(&r), NULL, &model, NULL), MRW_OK);
    rig_close(&r);
}

TEST(a_bone_that_is_added_and_removed_leaves_no_trace)
{
    rig r;
    rig untouched;
    REQUIRE(rig_open(&r, 60) && rig_open(&untouched, 60));
    for (int round = 0; round < 40; round++) {
        uint32_t bone;
        bool changed;
        CHECK_EQ_INT(mrw_edit_add_bone(r.document, round % BONES, 7, 8, &bone), MRW_OK);
        CHECK_EQ_INT(mrw_edit_remove_bone(r.document, bone, &changed), MRW_OK);
    }
    CHECK_EQ_INT(model_of(&r)->node_count, BONES);
    for (uint32_t i = 0; i < BONES; i++) {
        CHECK_STR(model_of(&r)->nodes[i].name, model_of(&untouched)->nodes[i].name);
        CHECK_EQ_INT(model_of(&r)->nodes[i].parent, model_of(&untouched)->nodes[i].parent);
        CHECK_BYTES(&model_of(&r)->nodes[i].x, &model_of(&untouched)->nodes[i].x, 3 * sizeof(double));
    }
    for (uint32_t m = 0; m < 2; m++) {
        const mrw_mesh_desc* mesh = &model_of(&r)->meshes[m];
        CHECK_BYTES(mesh->influence_weight, model_of(&untouched)->meshes[m].influence_weight, mesh->influence_count * sizeof(double));
        CHECK_BYTES(mesh->influence_joint, model_of(&untouched)->meshes[m].influence_joint, mesh->influence_count * sizeof(uint32_t));
    }
    rig_close(&untouched);
    rig_close(&r);
}

// Every pair: refused exactly when it would change nothing, make a cycle or names no bone; else the joint stays, the angle too, and
// no bone is lost from the tree.
TEST(reparenting_keeps_positions_and_refuses_cycles)
{
    for (int32_t bone = -1; bone <= BONES; bone++) {
        for (int32_t parent = -2; parent <= BONES; parent++) {
            rig r;
            REQUIRE(rig_open(&r, 70));
            const mrw_node_desc* nodes = model_of(&r)->nodes;
            bool exists = bone >= 0 && bone < BONES && parent >= -1 && parent < BONES;
            bool cycle = false;
            for (int32_t at = parent; exists && at >= 0; at = nodes[at].parent) {
                cycle = cycle || at == bone;
            }
            bool expected = exists && !cycle && nodes[bone].parent != parent;
            double before[MOST][6];
            rest_of(&r, before);
            double rotation = exists ? nodes[bone].rotation : 0;
            bool changed = !expected;
            CHECK_EQ_INT(mrw_edit_reparent_bone(r.document, bone, parent, &changed), MRW_OK);
            CHECK_EQ_INT(changed, expected);
            double after[MOST][6];
            rest_of(&r, after);
            if (changed) {
                CHECK_EQ_INT(model_of(&r)->nodes[bone].parent, parent);
                CHECK_NEAR(after[bone][4], before[bone][4], 1e-9);
                CHECK_NEAR(after[bone][5], before[bone][5], 1e-9);
                CHECK_NEAR(model_of(&r)->nodes[bone].rotation, rotation, 0);
            } else {
                CHECK_BYTES(after, before, BONES * sizeof before[0]);
            }
            rig_close(&r);
        }
    }
}

static mrw_result attempt(mrw_context* context, void* user)
{
    (void)user;
    rig r;
    mrw_result result = rig_begin(context, 80, &r);
    uint32_t bone;
    bool changed;
    // Enough of them that the list grows more than once.
    for (int i = 0; i < 30 && result == MRW_OK; i++) {
        result = mrw_edit_add_bone(r.document, i, 1, 2, &bone);
    }
    result = result == MRW_OK ? mrw_edit_rename_bone(r.document, 3, "spine", &changed) : result;
    result = result == MRW_OK ? mrw_edit_reparent_bone(r.document, (int32_t)bone, 2, &changed) : result;
    result = result == MRW_OK ? mrw_edit_remove_bone(r.document, 5, &changed) : result;
    mrw_document_release(r.document);
    return result;
}

TEST(every_allocation_may_fail)
{
    FAILING_ALLOCATOR_SWEEP(attempt, NULL);
}

// After an edit that failed for want of memory the document is as it was.
TEST(a_failed_edit_changes_nothing)
{
    for (int64_t n = 0; n < 6; n++) {
        failing_allocator allocator = failing_allocator_start(-1);
        mrw_context* context = mrw_context_create(&(mrw_context_desc) { .allocator = failing_allocator_hooks(&allocator) });
        REQUIRE(context != NULL);
        rig r;
        REQUIRE(rig_begin(context, 90, &r) == MRW_OK);
        mrw_node_desc nodes[BONES];
        memcpy(nodes, model_of(&r)->nodes, sizeof nodes);
        uint32_t count = model_of(&r)->meshes[0].influence_count;
        bool changed;
        allocator.requests_left = n;
        if (mrw_edit_remove_bone(r.document, 4, &changed) != MRW_OK) {
            CHECK_EQ_INT(model_of(&r)->node_count, BONES);
            CHECK_BYTES(model_of(&r)->nodes, nodes, sizeof nodes);
            CHECK_EQ_INT(model_of(&r)->meshes[0].influence_count, count);
        } else {
            CHECK(n > 0);
        }
        allocator.requests_left = -1;
        rig_close(&r);
    }
}
