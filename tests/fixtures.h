/// The table that tools/embed.mjs writes for each test program.
#ifndef FIXTURES_H
#define FIXTURES_H

#include <stddef.h>

typedef struct fixture {
    const char* path;
    const char* bytes; // one zero byte more than `size`
    size_t size;
} fixture;

extern const fixture fixtures[];
extern const size_t fixture_count;

#endif
