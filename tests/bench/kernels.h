/// One character for the benchmarks, made from the same bytes in WebAssembly and natively, and what can be timed on it.
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_character bench_character;

/// Room for the description of a character, 16-byte aligned; NULL when memory is short.
void* bench_reserve(uint32_t size);
/// `data` as character.mjs lays it out (`packCharacter`); it stays in use. NULL when memory is short.
bench_character* bench_create(const uint32_t* data);
/// Adds a character of the same model and clip that is posed and skinned with the first one by bench_frame, some frames ahead of
/// it. False when memory is short.
bool bench_join(bench_character* first);

/// Plan index -> file index, the palette (8 floats a bone) and the skinned vertices in plan order.
uint32_t* bench_map(bench_character* character);
float* bench_palette(bench_character* character);
float* bench_output(bench_character* character);

// Each repeats its work `iterations` times. Poses are of frames that follow each other, 60 a second, from `frame` on.
void bench_skin(bench_character* character, uint32_t iterations);
void bench_skin_scalar(bench_character* character, uint32_t iterations);
void bench_pose(bench_character* character, uint32_t iterations, uint32_t frame);
void bench_pose_scalar(bench_character* character, uint32_t iterations, uint32_t frame);
/// Pose, palette, and skinning where the palette changed, of the character and all that joined it.
void bench_frame(bench_character* character, uint32_t iterations, uint32_t frame);

#endif
