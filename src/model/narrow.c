#include "model/narrow.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

float mrwi_to_f32(double value)
{
    if (!(fabs(value) >= (double)FLT_MIN)) {
        return 0.0f;
    }
    if (fabs(value) > (double)FLT_MAX) {
        return value > 0.0 ? FLT_MAX : -FLT_MAX;
    }
    return (float)value;
}

float mrwi_round_down(double value)
{
    float rounded = mrwi_to_f32(value);
    if ((double)rounded > value && rounded > -FLT_MAX) {
        uint32_t bits = 0;
        memcpy(&bits, &rounded, sizeof bits);
        bits = rounded > 0.0f ? bits - 1 : (rounded < 0.0f ? bits + 1 : 0x80800000u); // below zero comes -FLT_MIN
        memcpy(&rounded, &bits, sizeof bits);
    }
    return rounded;
}
