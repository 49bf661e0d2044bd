// Rest matrices, inverse binds and bind extents against the reference.
#include "support/golden_rig.h"

static void check_binds(const mrwi_model* model, const mrwi_json_cursor* expected)
{
    uint32_t i = 0;
    GOLDEN_EACH(matrix, *expected)
    {
        REQUIRE(i < model->node_count);
        golden_check_matrix(model->skins[0].binds_f64[i], &matrix);
        double inverse[6];
        mrw_affine2_invert(model->rest_world[model->node_of_file_index[i]], inverse);
        golden_check_matrix(inverse, &matrix);
        i++;
    }
    CHECK_EQ_INT(i, model->node_count);
}

TEST(binds_and_extents_of_every_rig)
{
    for (int number = 0; number < 8; number++) {
        char path[] = "golden/modoki/lbs-s00.json";
        path[strlen(path) - 6] = (char)('0' + number);
        golden file = golden_open(path);
        mrwi_json_cursor rig = mrwi_json_member(&file.root, "rig");
        mrwi_json_cursor binds = mrwi_json_member(&file.root, "invBind");
        mrwi_json_cursor extent = mrwi_json_member(&file.root, "bindExtent");
        const mrwi_model* model = golden_load_rig(file.context, &rig);
        REQUIRE(model != NULL);
        check_binds(model, &binds);
        CHECK_NEAR(model->bind_bounds[1], golden_member(&extent, "minY"), 1e-4);
        CHECK_NEAR(model->bind_bounds[3], golden_member(&extent, "maxY"), 1e-4);
        golden_close(&file);
    }
}

TEST(chains_of_bones)
{
    golden file = golden_open("golden/modoki/matrix-s1.json");
    uint32_t case_count = 0;
    GOLDEN_EACH(item, file.cases)
    {
        mrwi_json_cursor bones = mrwi_json_member(&item, "bones");
        if (mrwi_json_type_of(&bones) != MRWI_JSON_ARRAY) {
            continue;
        }
        // The case has the member `bones` of a rig; what else it has is no rig's business.
        const mrwi_model* model = golden_load_rig(file.context, &item);
        REQUIRE(model != NULL);
        uint32_t i = 0;
        mrwi_json_cursor local = mrwi_json_member(&item, "rootLocal");
        GOLDEN_EACH(matrix, local)
        {
            REQUIRE(i < model->node_count);
            golden_check_matrix(model->rest_world[model->node_of_file_index[i++]], &matrix);
        }
        CHECK_EQ_INT(i, model->node_count);
        mrwi_json_cursor binds = mrwi_json_member(&item, "invBind");
        check_binds(model, &binds);
        case_count++;
    }
    CHECK(case_count > 0);
    golden_close(&file);
}

static bool read_frame(const mrwi_json_cursor* item, mrw_frame* out)
{
    mrwi_json_cursor rectangle = mrwi_json_member(item, "frame");
    mrwi_json_cursor sheet = mrwi_json_member(item, "sheet");
    *out = (mrw_frame) { .x = (float)golden_member(&rectangle, "x"),
        .y = (float)golden_member(&rectangle, "y"),
        .width = (float)golden_member(&rectangle, "w"),
        .height = (float)golden_member(&rectangle, "h"),
        .page_width = (float)golden_member(&sheet, "w"),
        .page_height = (float)golden_member(&sheet, "h") };
    return mrwi_json_type_of(&rectangle) == MRWI_JSON_OBJECT;
}

TEST(uvs_of_atlas_frames)
{
    golden file = golden_open("golden/modoki/frameuv-s1.json");
    uint32_t framed_count = 0;
    GOLDEN_EACH(item, file.cases)
    {
        double uvs[64], expected[64];
        mrwi_json_cursor list = mrwi_json_member(&item, "uvs");
        uint32_t count = golden_numbers(&list, uvs, 64);
        list = mrwi_json_member(&item, "expected");
        REQUIRE(count <= 64 && CHECK_EQ_INT(golden_numbers(&list, expected, 64), count));
        float narrow[64], mapped[64];
        for (uint32_t i = 0; i < count; i++) {
            narrow[i] = (float)uvs[i];
        }
        mrw_frame frame;
        bool has_frame = read_frame(&item, &frame);
        framed_count += has_frame;
        mrw_frame_uvs(narrow, count / 2, has_frame ? &frame : NULL, mapped);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_NEAR(mapped[i], expected[i], 1e-5);
        }
    }
    CHECK(framed_count > 0);
    golden_close(&file);
}
