#include "formats/formats.h"

const char* const mrwi_blend_names[] = { "normal", "add", "multiply", "screen", NULL };
const char* const mrwi_track_type_names[] = { "number", "color", "boolean", "enum", NULL };
const char* const mrwi_tangent_mode_names[] = { "", "auto", "linear", "constant", "free", NULL };

const char* const mrwi_rig2d_marks[] = { "bones", "parts", "mesh", "sprite", "skinIndices", "skinWeights", NULL };
const char* const mrwi_anim_marks[] = { "tracks", "deformTracks", "events", NULL };

void mrwi_write_text_member(mrwi_writer* writer, const char* key, const char* text)
{
    mrwi_write_key(writer, key);
    mrwi_write_string(writer, text == NULL ? "" : text);
}

void mrwi_write_number_member(mrwi_writer* writer, const char* key, double value)
{
    mrwi_write_key(writer, key);
    mrwi_write_double(writer, value);
}
