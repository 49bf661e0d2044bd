#include "base/sort.h"

// Merge sort, bottom up: the left half of a pair moves out of the way, unless the pair is in order already.
void mrwi_sort(uint32_t* items, uint32_t* scratch, uint32_t count, mrwi_is_before* is_before, const void* user)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low + width < count; low += 2 * width) {
            const size_t middle = low + width;
            const size_t high = middle + width < count ? middle + width : count;
            if (!is_before(user, items[middle], items[middle - 1])) {
                continue;
            }
            for (size_t i = low; i < middle; i++) {
                scratch[i - low] = items[i];
            }
            size_t left = 0, right = middle, to = low;
            while (left < width) {
                const bool takes_right = right < high && is_before(user, items[right], scratch[left]);
                items[to++] = takes_right ? items[right++] : scratch[left++];
            }
        }
    }
}
