// Stands in for libFuzzer: feeds every corpus file to the fuzz entry, whole and cut at each byte.
#include "fixtures.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int main(void)
{
    size_t run_count = 0;
    for (size_t i = 0; i < fixture_count; i++) {
        for (size_t size = 0; size <= fixtures[i].size; size++) {
            // A block of exactly this size, so that the sanitizer sees a read past the cut.
            uint8_t* bytes = malloc(size == 0 ? 1 : size);
            if (bytes == NULL) {
                printf("out of memory at byte %zu of %s\n", size, fixtures[i].path);
                return 1;
            }
            memcpy(bytes, fixtures[i].bytes, size);
            LLVMFuzzerTestOneInput(bytes, size);
            free(bytes);
            run_count++;
        }
        printf("ok   %s (%zu bytes)\n", fixtures[i].path, fixtures[i].size);
    }
    printf("%zu files, %zu runs\n", fixture_count, run_count);
    return run_count == 0 ? 1 : 0;
}
