// Bytes as a scene: any coordinates, uvs and matrices, with and without a picture. Nothing may be read or written out of bounds,
// no conversion may overflow, and colors stay within their alpha's reach.
#include "draw/raster.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 6, SIDE = 12 };

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

// The next `count` bytes, zeros beyond the end.
static void take(const uint8_t** bytes, size_t* left, void* out, size_t count)
{
    memset(out, 0, count);
    size_t there = *left < count ? *left : count;
    if (there > 0) {
        memcpy(out, *bytes, there);
    }
    *bytes += there;
    *left -= there;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    uint8_t head[8];
    float positions[POINTS * 2];
    float uvs[POINTS * 2];
    float matrix[6];
    uint8_t texels[5 * 3 * 4];
    take(&bytes, &size, head, sizeof head);
    take(&bytes, &size, positions, sizeof positions);
    take(&bytes, &size, uvs, sizeof uvs);
    take(&bytes, &size, matrix, sizeof matrix);
    take(&bytes, &size, texels, sizeof texels);
    mrw_context* context = mrw_context_create(NULL);
    if (context == NULL) {
        return 0;
    }
    mrwi_texture texture;
    mrwi_texture_init(&texture, context, &(mrw_image) { 1 + head[0] % 5u, 1 + head[1] % 3u, texels });
    uint32_t indices[9];
    for (uint32_t i = 0; i < 9; i++) {
        indices[i] = (head[2] * 7u + i * (1 + head[3] % 5u)) % POINTS;
    }
    const mrwi_raster_batch batches[2] = {
        { indices, 9, &texture, { 200, 255, head[4] }, (float)head[5] / 200, (mrw_blend_mode)(head[6] & 3) },
        { indices, head[7] % 10u, NULL, { 9, 255, 0 }, positions[0], MRW_BLEND_NORMAL },
    };
    mrwi_raster_args args
        = { 1 + head[6] % (uint32_t)SIDE, 1 + head[7] % (uint32_t)SIDE, head[5] * 0x01010101u, { 0 }, POINTS, positions, uvs, 2, batches };
    for (int i = 0; i < 6; i++) {
        args.matrix[i] = (double)matrix[i];
    }
    uint8_t* pixels = malloc((size_t)args.width * args.height * 4);
    if (pixels != NULL && mrwi_raster_draw(context, &args, pixels) == MRW_OK) {
        for (size_t i = 0; i < (size_t)args.width * args.height * 4; i += 4) {
            // A transparent pixel is black.
            if (pixels[i + 3] == 0 && (pixels[i] | pixels[i + 1] | pixels[i + 2]) != 0) {
                abort();
            }
        }
    }
    free(pixels);
    mrwi_texture_release(&texture);
    mrw_context_destroy(context);
    return 0;
}
