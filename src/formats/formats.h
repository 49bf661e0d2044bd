/// What the readers and writers of this layer share.
#ifndef MRWI_FORMATS_FORMATS_H
#define MRWI_FORMATS_FORMATS_H

#include "io/json.h"

/// Names in the order of the enums, NULL behind the last.
extern const char* const mrwi_blend_names[];
extern const char* const mrwi_track_type_names[];
extern const char* const mrwi_tangent_mode_names[]; ///< the first is "", which no file says

/// Members at the root that tell a rig from a clip.
extern const char* const mrwi_rig2d_marks[];
extern const char* const mrwi_anim_marks[];

/// A member with a text (NULL is written as "") or a number.
void mrwi_write_text_member(mrwi_writer* writer, const char* key, const char* text);
void mrwi_write_number_member(mrwi_writer* writer, const char* key, double value);

#endif
