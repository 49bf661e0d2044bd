/// The C library's allocator for the binaries, in a third of the room that a general one takes: what the core asks for is aligned to 16
/// bytes, and never resized in place.
///
/// Memory is a row of blocks. A block's size, a multiple of 16, stands in a word at each of its ends, with the lowest bit set while it is in
/// use; the payload lies between. Free blocks hang in lists by powers of two and are joined with free neighbours at once (boundary tags:
/// Knuth, The Art of Computer Programming 1, 2.5).
#include <stddef.h>
#include <stdint.h>

#define PAGE 65536u
#define USED 1u

typedef struct block block;
struct block {
    uint32_t size;
    block *next, *previous; ///< of its list, while it is free
};

/// Where the linker puts the end of the data and the stack.
extern unsigned char __heap_base;
/// Tells the host that its views are stale.
void emscripten_notify_memory_growth(size_t memory);
void* aligned_alloc(size_t alignment, size_t bytes);
void* malloc(size_t bytes);
void free(void* payload);

static block lists[32];
/// The words before and behind the row say "in use", so that nothing joins across. The one behind it is the last before `end`, and becomes
/// the first word of what is added.
static uint32_t* end;

static uint32_t log2_of(uint32_t size)
{
    return 31 - (uint32_t)__builtin_clz(size);
}

static block* move(block* at, int32_t bytes)
{
    return (block*)((char*)at + bytes);
}

static void write_size(block* at, uint32_t size, uint32_t used)
{
    at->size = size | used;
    move(at, (int32_t)size - 4)->size = size | used;
}

static void take_off(block* at)
{
    at->previous->next = at->next;
    if (at->next != NULL) {
        at->next->previous = at->previous;
    }
}

static void make_free(block* at, uint32_t size)
{
    block* next = move(at, (int32_t)size);
    if ((next->size & USED) == 0) {
        take_off(next);
        size += next->size;
    }
    uint32_t size_before = move(at, -4)->size;
    if ((size_before & USED) == 0) {
        at = move(at, -(int32_t)size_before);
        take_off(at);
        size += size_before;
    }
    write_size(at, size, 0);
    block* list = &lists[log2_of(size)];
    at->next = list->next;
    at->previous = list;
    if (at->next != NULL) {
        at->next->previous = at;
    }
    list->next = at;
}

/// Makes a free block of what lies between `end` and the end of memory, which the host may have grown as well.
static void claim(void)
{
    if (end == NULL) {
        end = (uint32_t*)(((uintptr_t)&__heap_base + 31) & ~(uintptr_t)15);
        end[-2] = end[-1] = USED;
    }
    uint32_t* last = end - 1;
    end = (uint32_t*)(__builtin_wasm_memory_size(0) * PAGE);
    if (end - 1 > last) {
        end[-1] = USED;
        make_free((block*)last, (uint32_t)((char*)(end - 1) - (char*)last));
    }
}

static block* find(uint32_t size)
{
    for (uint32_t i = log2_of(size); i < 32; i++) {
        for (block* at = lists[i].next; at != NULL; at = at->next) {
            if (at->size >= size) {
                return at;
            }
        }
    }
    return NULL;
}

void* malloc(size_t bytes)
{
    if (bytes > INT32_MAX - PAGE) {
        return NULL;
    }
    uint32_t size = ((uint32_t)bytes + 8 + 15) & ~15u;
    block* at = find(size);
    if (at == NULL) {
        claim();
        at = find(size);
    }
    if (at == NULL) {
        if (__builtin_wasm_memory_grow(0, (size + PAGE - 1) / PAGE) == SIZE_MAX) {
            return NULL;
        }
        emscripten_notify_memory_growth(0);
        claim();
        at = find(size);
    }
    take_off(at);
    uint32_t rest = at->size - size;
    write_size(at, size, USED);
    if (rest > 0) {
        make_free(move(at, (int32_t)size), rest);
    }
    return &at->next;
}

void* aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment; // 16 at most
    return malloc(bytes);
}

void free(void* payload)
{
    if (payload != NULL) {
        block* at = move(payload, -4);
        make_free(at, at->size & ~USED);
    }
}
