/// Carrying playback over to a model that replaces another.
#ifndef MRWI_RUNTIME_MIXER_ADOPT_H
#define MRWI_RUNTIME_MIXER_ADOPT_H

#include "runtime/mixer.h"

/// The subject, whose own `mixer` is, has just got another model than `old` (NULL: it waited for one); tree, values and deforms are
/// the new ones already. Players and layers go on with the clips of the same names at the same times, those without one stop; masks
/// follow node names; a running fade ends. Failure leaves the mixer as it was.
mrw_result mrwi_mixer_adopt(const mrwi_subject* subject, mrwi_mixer* mixer, const mrwi_model* old);

#endif
