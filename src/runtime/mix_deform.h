/// Offsets of the clips in play. The main clip replaces, also while it fades in: offsets do not cross-fade. Layers lie on top.
#ifndef MRWI_RUNTIME_MIX_DEFORM_H
#define MRWI_RUNTIME_MIX_DEFORM_H

#include "runtime/layer.h"

/// Mixes the offsets of all players into deforms[].sampled of the subject, which has a model. Never allocates.
void mrwi_mix_deforms(const mrwi_subject* subject, const mrwi_player* main, const mrwi_layer* layers, uint32_t layer_count);

#endif
