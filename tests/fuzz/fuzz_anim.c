// Any bytes as a clip: read, write, read again, pack for a small rig, sample every track.
#include "base/context.h"
#include "model/clip_check.h"
#include "model/curve.h"
#include "model/document.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const char rig_text[]
    = "{\"bones\":[{\"name\":\"root\",\"parent\":-1},{\"name\":\"arm\",\"parent\":0}],\"mesh\":{\"verts\":[[0,0],[4,0],[0,4]],\"uvs\":[[0,"
      "0],"
      "[1,0],[0,1]],\"tris\":[0,1,2]},\"skinIndices\":[0,0,0,0,1,0,0,0,1,0,0,0],\"skinWeights\":[1,0,0,0,1,0,0,0,1,0,0,0]}";

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(bool holds)
{
    if (!holds) {
        __builtin_trap();
    }
}

static void pack(mrw_context* context, const uint8_t* bytes, size_t size)
{
    mrw_model_id id = { 0 };
    uint32_t index = 1;
    mrw_error error = { 0 };
    require(mrw_model_load_rig2d(context, rig_text, strlen(rig_text), NULL, &id, NULL) == MRW_OK);
    mrw_result result = mrw_model_add_clip(context, id, bytes, size, NULL, &index, &error);
    require(result == MRW_OK || result == MRW_NO_MEMORY);
    const mrwi_model* model = mrwi_model_get(context, id);
    require(model->clip_count == (result == MRW_OK ? 1u : 0u));
    if (result != MRW_OK) {
        return;
    }
    const mrwi_clip* clip = model->clips[index];
    require(clip->duration >= 0.0);
    for (uint32_t track = 0; track < clip->track_count; track++) {
        double value = 0;
        for (double time = -1; time < 3; time += 0.37) {
            require(mrw_clip_sample(context, id, index, track, time, &value) == MRW_OK);
        }
    }
    for (uint32_t group = 0; 4 * group < clip->channels.count; group++) {
        uint32_t count = clip->channels.first[group + 1] - clip->channels.first[group];
        const float* starts = mrwi_channels_starts(&clip->channels, group);
        require(count > 0 && starts[0] == MRWI_CHANNELS_BEGIN && starts[count] == INFINITY);
        for (uint32_t i = 0; i < count; i++) {
            require(starts[i] < starts[i + 1]);
        }
    }
}

/// What was written reads back to the same text.
static void write_and_read_again(mrw_context* context, mrw_document* document)
{
    char* texts[2] = { NULL, NULL };
    size_t sizes[2] = { 0, 0 };
    mrw_document* again = NULL;
    mrw_result result = mrw_document_write(document, &texts[0], &sizes[0]);
    if (result == MRW_OK) {
        result = mrw_document_read_anim(context, texts[0], sizes[0], NULL, &again, NULL);
    }
    if (result == MRW_OK) {
        result = mrw_document_write(again, &texts[1], &sizes[1]);
    }
    require(result == MRW_NO_MEMORY || (result == MRW_OK && sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0));
    mrw_document_release(again);
    for (int i = 0; i < 2; i++) {
        if (texts[i] != NULL) {
            mrw_text_release(context, texts[i], sizes[i]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    const mrw_context_desc desc = { .limits = { .memory_bytes = 64u << 20 } };
    mrw_context* context = mrw_context_create(&desc);
    mrw_document* document = NULL;
    mrw_error error = { 0 };
    mrw_result result = mrw_document_read_anim(context, bytes, size, NULL, &document, &error);
    require((result == MRW_OK) == (document != NULL) && (result == MRW_OK || error.code == result));
    if (result == MRW_OK) {
        require(mrwi_clip_check(&document->clip, NULL) == MRW_OK); // what a reader makes is packed as it is
        write_and_read_again(context, document);
        mrw_document_release(document);
        pack(context, bytes, size);
    }
    mrw_context_destroy(context);
    return 0;
}
