/// Writes a model as `.rig2d.json`.
#ifndef MRWI_FORMATS_RIG2D_WRITE_H
#define MRWI_FORMATS_RIG2D_WRITE_H

#include "io/json.h"

/// The whole document. MRW_UNSUPPORTED when the format cannot hold what the description says; a failed allocation shows in the
/// writer.
mrw_result mrwi_rig2d_write(const mrw_model_desc* desc, mrwi_writer* writer);

#endif
