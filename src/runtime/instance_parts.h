/// The parts of an instance: what they show, their runs, their vertices.
#ifndef MRWI_RUNTIME_INSTANCE_PARTS_H
#define MRWI_RUNTIME_INSTANCE_PARTS_H

#include "runtime/instance.h"

/// Part arrays of the instance's model, with its defaults and runs.
mrw_result mrwi_parts_init(mrwi_instance* instance);
void mrwi_parts_release(mrwi_instance* instance);
/// Room for offsets of the parts that clip `clip` of the model deforms.
mrw_result mrwi_parts_reserve_deforms(mrwi_instance* instance, uint32_t clip);
/// Room for uvs of its own, which parts need that show another sprite than the model's. Nothing is shown before the next refresh.
mrw_result mrwi_parts_reserve_uvs(mrwi_instance* instance);
/// Offsets lie within this, either way: as large as a file's own may be.
#define MRWI_OFFSET_MAX 1e9f
/// Floats of a part's offsets: padded, as kernels read them.
size_t mrwi_parts_offset_count(const mrwi_model* model, uint32_t part);
/// The part shows another sprite, or none (-1), from the next refresh on.
mrw_result mrwi_parts_set_sprite(mrwi_instance* instance, uint32_t part, int32_t sprite);
/// Offsets of a part, set by hand, in file order: `count` floats, zeros behind them.
mrw_result mrwi_parts_set_offsets(mrwi_instance* instance, uint32_t part, const float* offsets, size_t count);
/// What parts show, or a frame of the model, changed since runs were made.
bool mrwi_parts_stale(const mrwi_instance* instance);
/// Pages, uvs and runs anew where that is so. True when anything changed; the structure or the color version rose then.
bool mrwi_parts_refresh(mrwi_instance* instance);
/// Skins every part when `moved` or when the instance must be skinned, else those whose offsets changed. `root` NULL: in its own
/// space. True when vertices were written; the version rose then.
bool mrwi_parts_skin(mrwi_instance* instance, const mrwi_affine2* root, bool moved);

#endif
