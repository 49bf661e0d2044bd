// Decodes bytes as PNG, as they are and with the sums of the chunks made right (or no change would come past them); what decodes
// must survive encoding.
#include "marrow.h"
#include "support/png_build.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void decode(mrw_context* context, const uint8_t* bytes, size_t size)
{
    uint32_t width = 0;
    uint32_t height = 0;
    char* pixels = NULL;
    mrw_error error;
    mrw_result result = mrw_png_decode(context, bytes, size, &width, &height, &pixels, &error);
    require((result == MRW_OK) == (pixels != NULL));
    if (result != MRW_OK) {
        require(error.code == result);
        return;
    }
    size_t pixels_size = (size_t)width * height * 4;
    char* encoded = NULL;
    size_t encoded_size = 0;
    require(mrw_png_encode(context, width, height, (const uint8_t*)pixels, &encoded, &encoded_size) == MRW_OK);
    char* again = NULL;
    require(mrw_png_decode(context, encoded, encoded_size, &width, &height, &again, &error) == MRW_OK);
    require(memcmp(pixels, again, pixels_size) == 0);
    mrw_text_release(context, again, pixels_size);
    mrw_text_release(context, encoded, encoded_size);
    mrw_text_release(context, pixels, pixels_size);
}

static void repair_sums(uint8_t* bytes, size_t size)
{
    size_t at = 8;
    while (at < size && size - at >= 12) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (size - at - 12 < length) {
            return;
        }
        uint32_t sum = png_build_crc(bytes + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++) {
            bytes[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        }
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    mrw_context_desc desc = { .limits = { .image_pixels = 1 << 16, .memory_bytes = 64 << 20 } };
    mrw_context* context = mrw_context_create(&desc);
    uint8_t* repaired = malloc(size == 0 ? 1 : size);
    require(context != NULL && repaired != NULL);
    decode(context, bytes, size);
    memcpy(repaired, bytes, size);
    repair_sums(repaired, size);
    decode(context, repaired, size);
    free(repaired);
    size_t own = mrw_context_memory(context);
    mrw_context_destroy(context);
    context = mrw_context_create(&desc);
    require(context != NULL && mrw_context_memory(context) == own); // nothing was left behind
    mrw_context_destroy(context);
    return 0;
}
