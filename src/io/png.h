/// PNG over stb: the public mrw_png_decode and mrw_png_encode live in io/png.c. Images in memory are RGBA8, straight alpha.
#ifndef MRWI_IO_PNG_H
#define MRWI_IO_PNG_H

#include "base/memory.h"

typedef struct mrwi_image {
    uint32_t width, height; ///< 0 x 0: none
    uint8_t* pixels;        ///< width * height * 4
} mrwi_image;

#endif
