#include "io/big.h"

#include <string.h>

void mrwi_big_set(mrwi_big* big, uint64_t value)
{
    big->words[0] = (uint32_t)value;
    big->words[1] = (uint32_t)(value >> 32);
    big->count = big->words[1] != 0 ? 2 : big->words[0] != 0 ? 1 : 0;
}

void mrwi_big_multiply(mrwi_big* big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        big->words[big->count] = (uint32_t)carry;
        big->count++;
    }
}

void mrwi_big_multiply_power_of_ten(mrwi_big* big, int exponent)
{
    for (; exponent >= 9; exponent -= 9) {
        mrwi_big_multiply(big, 1000000000, 0);
    }
    for (; exponent > 0; exponent--) {
        mrwi_big_multiply(big, 10, 0);
    }
}

void mrwi_big_shift_left(mrwi_big* big, int bits)
{
    int words = bits / 32;
    if (big->count == 0) {
        return;
    }
    memmove(big->words + words, big->words, (size_t)big->count * sizeof big->words[0]);
    memset(big->words, 0, (size_t)words * sizeof big->words[0]);
    big->count += words;
    mrwi_big_multiply(big, 1u << (bits % 32), 0);
}

void mrwi_big_subtract(mrwi_big* big, const mrwi_big* other)
{
    uint64_t borrow = 0;
    for (int i = 0; i < big->count; i++) {
        uint64_t word = (uint64_t)big->words[i] - (i < other->count ? other->words[i] : 0) - borrow;
        big->words[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    while (big->count > 0 && big->words[big->count - 1] == 0) {
        big->count--;
    }
}

void mrwi_big_sum(mrwi_big* out, const mrwi_big* a, const mrwi_big* b)
{
    uint64_t carry = 0;
    out->count = a->count > b->count ? a->count : b->count;
    for (int i = 0; i < out->count; i++) {
        carry += (uint64_t)(i < a->count ? a->words[i] : 0) + (i < b->count ? b->words[i] : 0);
        out->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        out->words[out->count] = (uint32_t)carry;
        out->count++;
    }
}

int mrwi_big_compare(const mrwi_big* a, const mrwi_big* b)
{
    int order = a->count - b->count;
    for (int i = a->count - 1; i >= 0 && order == 0; i--) {
        order = a->words[i] < b->words[i] ? -1 : a->words[i] > b->words[i];
    }
    return order;
}

int mrwi_big_bit_count(const mrwi_big* big)
{
    int bits = big->count * 32;
    if (bits > 0) {
        for (uint32_t top = big->words[big->count - 1]; top < 1u << 31; top <<= 1) {
            bits--;
        }
    }
    return bits;
}
