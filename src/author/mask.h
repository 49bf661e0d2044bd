/// Coverage tests on an `mrw_mask`.
#ifndef MRWI_AUTHOR_MASK_H
#define MRWI_AUTHOR_MASK_H

#include "marrow.h"

/// Whether the picture covers (u, v); see `mrw_mask`.
bool mrwi_mask_covers(const mrw_mask* mask, double u, double v);

#endif
