/// Writes a clip as `.anim.json`.
#ifndef MRWI_FORMATS_ANIM_WRITE_H
#define MRWI_FORMATS_ANIM_WRITE_H

#include "io/json.h"

/// The whole document. A failed allocation shows in the writer.
void mrwi_anim_write(const mrw_clip_desc* desc, mrwi_writer* writer);

#endif
