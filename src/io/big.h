/// Unsigned integers that are large enough to turn any decimal of 771 digits into a double and back without an error.
#ifndef MRWI_IO_BIG_H
#define MRWI_IO_BIG_H

#include <stdbool.h>
#include <stdint.h>

/// 10^1094 is the largest that occurs: the unit of 771 digits that lie just above half of the least double. It has 3635 bits;
/// dividing by it takes one more.
#define MRWI_BIG_WORDS 116

typedef struct mrwi_big {
    int count;                      ///< without leading zeros
    uint32_t words[MRWI_BIG_WORDS]; ///< lowest first; those from `count` on hold nothing
} mrwi_big;

void mrwi_big_set(mrwi_big* big, uint64_t value);
/// big = big * factor + addend
void mrwi_big_multiply(mrwi_big* big, uint32_t factor, uint32_t addend);
void mrwi_big_multiply_power_of_ten(mrwi_big* big, int exponent);
void mrwi_big_shift_left(mrwi_big* big, int bits);
/// big -= other, for big >= other.
void mrwi_big_subtract(mrwi_big* big, const mrwi_big* other);
void mrwi_big_sum(mrwi_big* out, const mrwi_big* a, const mrwi_big* b);
/// Below, at or above 0 as a is to b.
int mrwi_big_compare(const mrwi_big* a, const mrwi_big* b);
int mrwi_big_bit_count(const mrwi_big* big);

#endif
