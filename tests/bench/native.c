// The kernels as native code. Usage: bench_native CHARACTER [MEMBERS]: reads a packed character (character.mjs) and then commands
// from standard input, one a line: `<what> <iterations> [frame]` with skin, skin_scalar, pose, pose_scalar or frame. Answers each
// with the seconds it took. Without commands (an empty input) it prints its figures as CSV.
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t* read_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    const long size = ftell(file);
    uint32_t* data = size > 0 ? bench_reserve((uint32_t)size) : NULL;
    rewind(file);
    if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
        data = NULL;
    }
    fclose(file);
    return data;
}

static bool run(bench_character* character, const char* what, uint32_t iterations, uint32_t frame)
{
    if (strcmp(what, "skin") == 0) {
        bench_skin(character, iterations);
    } else if (strcmp(what, "skin_scalar") == 0) {
        bench_skin_scalar(character, iterations);
    } else if (strcmp(what, "pose") == 0) {
        bench_pose(character, iterations, frame);
    } else if (strcmp(what, "pose_scalar") == 0) {
        bench_pose_scalar(character, iterations, frame);
    } else if (strcmp(what, "frame") == 0) {
        bench_frame(character, iterations, frame);
    } else {
        return false;
    }
    return true;
}

static void print_csv(bench_character* character)
{
    static const char* const names[] = { "skin", "skin_scalar", "pose", "pose_scalar", "frame" };
    puts("what,nanoseconds");
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        double least = 1;
        for (uint32_t round = 0; round < 50; round++) {
            const double start = now();
            run(character, names[i], 200, round * 200);
            const double spent = (now() - start) / 200;
            least = spent < least ? spent : least;
        }
        printf("%s,%.1f\n", names[i], least * 1e9);
    }
}

int main(int argument_count, char** arguments)
{
    const uint32_t* data = argument_count > 1 ? read_file(arguments[1]) : NULL;
    bench_character* character = data ? bench_create(data) : NULL;
    const long members = argument_count > 2 ? strtol(arguments[2], NULL, 10) : 1;
    bool made = character != NULL;
    for (long i = 1; made && i < members; i++) {
        made = bench_join(character);
    }
    if (!made) {
        fprintf(stderr, "usage: %s CHARACTER [MEMBERS]; the character could not be read or made\n", arguments[0]);
        return 2;
    }
    bench_pose(character, 1, 0);
    char line[128], what[32];
    bool asked = false;
    while (fgets(line, sizeof(line), stdin)) {
        unsigned iterations = 0, frame = 0;
        asked = true;
        const double start = now();
        if (sscanf(line, "%31s %u %u", what, &iterations, &frame) < 2 || !run(character, what, iterations, frame)) {
            fprintf(stderr, "not a command: %s", line);
            return 2;
        }
        printf("%.9f\n", now() - start);
        fflush(stdout);
    }
    if (!asked) {
        print_csv(character);
    }
    return 0;
}
