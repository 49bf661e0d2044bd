/// Checks of a clip's description, for callers who fill one by hand.
#ifndef MRWI_MODEL_CLIP_CHECK_H
#define MRWI_MODEL_CLIP_CHECK_H

#include "marrow.h"

/// MRW_BAD_ARGUMENT for a count without an array, MRW_BAD_VALUE for numbers that are not finite or times that fall.
mrw_result mrwi_clip_check(const mrw_clip_desc* desc, mrw_error* error);

#endif
