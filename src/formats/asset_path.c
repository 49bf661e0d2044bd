#include "formats/asset_path.h"

#include <stddef.h>

static bool is_letter(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

// "C:", "http:", and "C|", which file URLs take for a drive too.
static bool has_scheme(const char* path)
{
    size_t size = 0;
    while (
        is_letter(path[size]) || (path[size] >= '0' && path[size] <= '9') || path[size] == '+' || path[size] == '-' || path[size] == '.') {
        size++;
    }
    return is_letter(path[0]) && (path[size] == ':' || (size == 1 && path[1] == '|'));
}

// The number of dots that a step consists of, 0 when it is a name.
static size_t dots_of(const char* step, size_t size)
{
    size_t count = 0;
    for (size_t at = 0; at < size; count++) {
        if (step[at] == '.') {
            at += 1;
        } else if (size - at >= 3 && step[at] == '%' && step[at + 1] == '2' && (step[at + 2] | 32) == 'e') {
            at += 3;
        } else {
            return 0;
        }
    }
    return count;
}

bool mrwi_asset_path_is_inside(const char* path)
{
    if (path[0] == 0 || path[0] == ' ' || is_slash(path[0]) || has_scheme(path)) {
        return false;
    }
    for (const char* c = path; *c != 0; c++) {
        if ((unsigned char)*c < 32) {
            return false;
        }
    }
    size_t depth = 0;
    for (;;) {
        size_t size = 0;
        while (path[size] != 0 && !is_slash(path[size])) {
            size++;
        }
        size_t dots = dots_of(path, size);
        if (dots == 2 && depth == 0) {
            return false;
        }
        depth = dots == 2 ? depth - 1 : depth + (dots == 1 || size == 0 ? 0 : 1);
        path += size;
        if (*path == 0) {
            return true;
        }
        path++;
    }
}
