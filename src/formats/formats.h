/// What the readers and writers of this layer share.
#ifndef MRWI_FORMATS_FORMATS_H
#define MRWI_FORMATS_FORMATS_H

#include "io/json.h"
#include "model/document.h"

/// `mrw_document_write` (document_write.c) calls these: each writes a whole document of its kind. MRW_UNSUPPORTED when the format cannot hold what the description says; a failed
/// allocation shows in the writer.
mrw_result mrwi_rig2d_write(const mrw_model_desc* desc, mrwi_writer* writer);
mrw_result mrwi_anim_write(const mrw_clip_desc* desc, mrwi_writer* writer);

#endif
