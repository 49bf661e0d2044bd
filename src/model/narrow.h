/// From f64 to f32. Subnormal numbers become 0: WebAssembly does not flush them, and they slow the kernels down.
#ifndef MRWI_MODEL_NARROW_H
#define MRWI_MODEL_NARROW_H

/// Nearest f32; what is too large is clamped, and NaN is 0.
float mrwi_to_f32(double value);
/// Largest f32 at or below `value` (clamped like the above).
float mrwi_round_down(double value);

#endif
