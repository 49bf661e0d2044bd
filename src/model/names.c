#include "model/names.h"

#include "base/hash.h"

#include <string.h>

mrw_result mrwi_names_init(mrwi_names* names, mrwi_arena* arena, uint32_t count)
{
    size_t capacity = 16;
    while (capacity / 2 <= count) {
        capacity *= 2;
    }
    names->entries = mrwi_arena_allocate(arena, capacity, sizeof *names->entries);
    names->capacity = capacity;
    return names->entries == NULL ? MRW_NO_MEMORY : MRW_OK;
}

/// The entry of a name, or the free one where it belongs. At least half of the entries are free.
static mrwi_name* find(const mrwi_names* names, int32_t owner, const char* text, size_t size)
{
    uint64_t hash = mrwi_hash(mrwi_hash(MRWI_HASH_START, &owner, sizeof owner), text, size);
    size_t at = (size_t)hash & (names->capacity - 1);
    for (;;) {
        mrwi_name* entry = &names->entries[at];
        if (entry->text == NULL) {
            return entry;
        }
        if (entry->owner == owner && strncmp(entry->text, text, size) == 0 && entry->text[size] == 0) {
            return entry;
        }
        at = (at + 1) & (names->capacity - 1);
    }
}

void mrwi_names_put(mrwi_names* names, int32_t owner, const char* text, int32_t index)
{
    *find(names, owner, text, strlen(text)) = (mrwi_name) { text, owner, index };
}

int32_t mrwi_names_find(const mrwi_names* names, int32_t owner, const char* text, size_t size)
{
    const mrwi_name* entry = find(names, owner, text, size);
    return entry->text == NULL ? -1 : entry->index;
}

int32_t mrwi_names_find_path(const mrwi_names* names, const char* path)
{
    int32_t node = -1;
    for (;;) {
        while (*path == '/') {
            path++;
        }
        if (*path == 0) {
            return node;
        }
        size_t size = mrwi_path_step(path);
        node = mrwi_names_find(names, node, path, size);
        if (node < 0) {
            return -1;
        }
        path += size;
    }
}

bool mrwi_path_is_root(const char* path)
{
    while (*path == '/') {
        path++;
    }
    return *path == 0;
}

size_t mrwi_path_step(const char* path)
{
    size_t size = 0;
    while (path[size] != 0 && path[size] != '/') {
        size++;
    }
    return size;
}
