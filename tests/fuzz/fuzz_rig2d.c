// Any bytes as a rig: read, built, described, written, and read again. What was written has to be readable, to say the same
// as before, and to need no repair of its form.
#include "support/desc_equal.h"

#include <stdlib.h>

// The comparison is the tests' own; here a check that fails ends the run.
bool check_true(check_place place, const char* text, bool holds)
{
    (void)place;
    (void)text;
    if (!holds) {
        abort();
    }
    return holds;
}

bool check_int(check_place place, const char* text, int64_t actual, int64_t expected)
{
    return check_true(place, text, actual == expected);
}

bool check_near(check_place place, const char* text, double actual, double expected, double tolerance)
{
    double difference = actual < expected ? expected - actual : actual - expected;
    return check_true(place, text, difference <= tolerance);
}

bool check_string(check_place place, const char* text, const char* actual, const char* expected)
{
    return check_true(place, text, desc_texts_equal(actual, expected));
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void write_and_read_again(mrw_context* context, mrw_document* document)
{
    char* text;
    size_t size;
    mrw_result result = mrw_document_write(document, &text, &size);
    if (result != MRW_OK) {
        check_true(CHECK_HERE, "only memory may be short", result == MRW_NO_MEMORY);
        return;
    }
    mrw_document* copy = NULL;
    result = mrw_document_read_rig2d(context, text, size, NULL, &copy, NULL);
    if (result == MRW_OK) {
        check_descs_equal(mrw_document_model(document), mrw_document_model(copy));
    } else {
        check_true(CHECK_HERE, "what was written is readable", result == MRW_NO_MEMORY);
    }
    mrw_document_release(copy);
    mrw_text_release(context, text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    const mrw_limits limits = { .memory_bytes = (size_t)64 << 20, .nodes = 512, .vertices = 20000 };
    mrw_context* context = mrw_context_create(&(mrw_context_desc) { .limits = limits });
    mrw_document* document = NULL;
    if (context != NULL && mrw_document_read_rig2d(context, bytes, size, NULL, &document, NULL) == MRW_OK) {
        mrw_model_id id;
        char* text = NULL;
        size_t text_size = 0;
        mrw_result result = mrw_model_create(context, mrw_document_model(document), NULL, &id, NULL);
        if (result == MRW_OK && mrw_model_describe(context, id, &text, &text_size) == MRW_OK) {
            mrw_text_release(context, text, text_size);
        }
        check_true(CHECK_HERE, "the reader repairs what the builder refuses", result == MRW_OK || result == MRW_NO_MEMORY);
        write_and_read_again(context, document);
        mrw_document_release(document);
    }
    mrw_context_destroy(context);
    return 0;
}
