#include "check.h"

#include <string.h>

// fixture.bin holds every byte value once, in order: zero, quotes, backslash and trigraph marks come through unchanged.
TEST(fixture_keeps_every_byte)
{
    size_t size = 0;
    const uint8_t* bytes = fixture_get("unit/fixture.bin", &size);
    CHECK_EQ_INT(size, 256);
    for (int i = 0; i < 256; i++) {
        CHECK_EQ_INT(bytes[i], i);
    }
    CHECK_EQ_INT(bytes[size], 0);
}

TEST(checks_tell_whether_they_held)
{
    CHECK(CHECK_NEAR(1.0, 1.5, 0.5));
    CHECK(CHECK_STR("a", "a"));
    CHECK(CHECK_BYTES("abc", "abc", 3));
}
