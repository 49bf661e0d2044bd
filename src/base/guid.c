#include "base/hash.h"

static bool has_dash_at(size_t i)
{
    return i == 8 || i == 13 || i == 18 || i == 23;
}

void mrw_guid_of_bytes(const void* bytes, size_t size, char out[37])
{
    uint8_t digest[32];
    mrwi_sha256(bytes, size, digest);
    digest[6] = (uint8_t)(0x80u | (digest[6] & 0x0fu)); // version 8
    digest[8] = (uint8_t)(0x80u | (digest[8] & 0x3fu)); // the variant of RFC 9562
    size_t digit = 0;
    for (size_t i = 0; i < 36; i++) {
        if (has_dash_at(i)) {
            out[i] = '-';
            continue;
        }
        uint8_t byte = digest[digit / 2];
        out[i] = "0123456789abcdef"[digit % 2 == 0 ? byte >> 4 : byte & 15];
        digit++;
    }
    out[36] = 0;
}

static bool is_hexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool mrw_is_guid(const char* text)
{
    if (text == NULL) {
        return false;
    }
    for (size_t i = 0; i < 36; i++) {
        if (has_dash_at(i) ? text[i] != '-' : !is_hexadecimal(text[i])) {
            return false;
        }
    }
    return text[36] == 0;
}
