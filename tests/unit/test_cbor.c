// The part of CBOR that descriptions are made of. The bytes of values are those of RFC 8949, appendix A.
#include "check.h"
#include "io/cbor.h"
#include "support/failing_allocator.h"

#include <math.h>
#include <string.h>

TEST(bad_parameters_become_null)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_writer writer;
    mrwi_writer_init(&writer, context, true);
    mrwi_cbor_text(&writer, NULL);
    mrwi_cbor_json(&writer, NULL);
    mrwi_cbor_float(&writer, NAN);
    mrwi_cbor_double(&writer, -INFINITY);
    CHECK_EQ_INT(writer.size, 4);
    CHECK_BYTES(writer.text, "\xf6\xf6\xf6\xf6", 4);
    mrwi_writer_release(&writer);
    mrw_context_destroy(context);
}

TEST(values_are_those_of_the_standard)
{
    mrw_context* context = mrw_context_create(NULL);
    mrwi_writer writer;
    mrwi_writer_init(&writer, context, true);
    mrwi_cbor_boolean(&writer, false);
    mrwi_cbor_boolean(&writer, true);
    mrwi_cbor_float(&writer, 100000.0f);
    mrwi_cbor_float(&writer, 3.4028234663852886e+38f);
    mrwi_cbor_double(&writer, 1.1);
    mrwi_cbor_double(&writer, -4.1);
    static const char numbers[] = "\xf4\xf5\xfa\x47\xc3\x50\x00\xfa\x7f\x7f\xff\xff\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a"
                                  "\xfb\xc0\x10\x66\x66\x66\x66\x66\x66";
    REQUIRE(CHECK_EQ_INT(writer.size, sizeof numbers - 1));
    CHECK_BYTES(writer.text, numbers, sizeof numbers - 1);
    mrwi_writer_release(&writer);

    // The standard writes the shortest lengths; 7a and 5a before four bytes are as good for it.
    mrwi_writer_init(&writer, context, true);
    mrwi_cbor_open_map(&writer);
    mrwi_cbor_text(&writer, "a");
    mrwi_cbor_open_list(&writer);
    mrwi_cbor_close(&writer);
    mrwi_cbor_text(&writer, "\xc3\xbc");
    mrwi_cbor_json(&writer, "[1]");
    mrwi_cbor_close(&writer);
    static const char nested[] = "\xbf\x7a\x00\x00\x00\x01\x61\x9f\xff\x7a\x00\x00\x00\x02\xc3\xbc\xd9\x01\x06\x5a\x00\x00\x00\x03[1]\xff";
    REQUIRE(CHECK_EQ_INT(writer.size, sizeof nested - 1));
    CHECK_BYTES(writer.text, nested, sizeof nested - 1);
    mrwi_writer_release(&writer);
    mrw_context_destroy(context);
}

// A map in a list in a map, an empty one of both, and what follows them.
static mrw_result convert(mrw_context* context)
{
    static const char bytes[]
        = "\xbf\x7a\x00\x00\x00\x01n\xfa\x3d\xcc\xcc\xcd\x7a\x00\x00\x00\x02\"l\x9f\xf6\xbf\x7a\x00\x00\x00\x00\xf5\xff\xbf\xff"
          "\x9f\xff\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a\xff\x7a\x00\x00\x00\x01j\xd9\x01\x06\x5a\x00\x00\x00\x07{\"k\":1}"
          "\x7a\x00\x00\x00\x01t\x7a\x00\x00\x00\x01\n\x7a\x00\x00\x00\x01z\xf4\xff";
    mrwi_writer writer;
    mrwi_writer_init(&writer, context, true);
    mrwi_cbor_to_json(bytes, sizeof bytes - 1, &writer);
    char* text;
    size_t size;
    mrw_result result = mrwi_writer_take(&writer, &text, &size);
    if (result == MRW_OK) {
        CHECK_STR(text, "{\"n\":0.1,\"\\\"l\":[null,{\"\":true},{},[],1.1],\"j\":{\"k\":1},\"t\":\"\\n\",\"z\":false}");
        mrw_text_release(context, text, size);
    }
    return result;
}

TEST(it_becomes_json)
{
    mrw_context* context = mrw_context_create(NULL);
    CHECK_EQ_INT(convert(context), MRW_OK);
    mrw_context_destroy(context);
}

static mrw_result attempt_convert(mrw_context* context, const char* unused)
{
    (void)unused;
    return convert(context);
}

TEST(every_failed_allocation_is_a_result)
{
    FAILING_ALLOCATOR_SWEEP(attempt_convert, "");
}
