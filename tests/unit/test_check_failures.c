// Every test here must fail: CTest compares the program's last line, and its exit code.
#include "check.h"

#include <math.h>

TEST(false_condition)
{
    CHECK(1 == 2);
}

TEST(differing_integers)
{
    CHECK_EQ_INT(1, 2);
}

TEST(numbers_too_far_apart)
{
    CHECK_NEAR(1.0, 1.5, 0.25);
}

TEST(not_a_number)
{
    CHECK_NEAR(NAN, NAN, 1.0);
}

TEST(differing_strings)
{
    CHECK_STR("a", "b");
}

TEST(missing_string)
{
    CHECK_STR(NULL, "b");
}

TEST(differing_bytes)
{
    CHECK_BYTES("abc", "abd", 3);
}

TEST(require_leaves_the_test)
{
    REQUIRE(false);
    CHECK_EQ_INT(0, 1);
}

TEST(no_check_at_all) { }
