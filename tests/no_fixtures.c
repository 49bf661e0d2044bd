// The table of a test program that embeds no file.
#include "fixtures.h"

const fixture fixtures[1] = { { 0 } };
const size_t fixture_count = 0;
