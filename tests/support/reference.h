/// More of a vector file: members by name with a fallback, arrays of any depth, masks, bones. What the readers return lives until
/// `reference_close`. A member of another type fails the running test.
#ifndef REFERENCE_H
#define REFERENCE_H

#include "support/golden.h"

typedef struct reference {
    golden file;
    mrwi_arena arena;
} reference;

/// `path` is the fixture's name. False, with a failed check, when it has no cases.
bool reference_open(reference* file, const char* path);
void reference_close(reference* file);

bool reference_has(const mrwi_json_cursor* at, const char* name);
/// A number, or one of the strings "Infinity", "-Infinity" and "NaN"; an absent one gives `otherwise`.
double reference_number(const mrwi_json_cursor* at, const char* name, double otherwise);
/// The text of a string; an absent one gives `otherwise`.
const char* reference_string(const mrwi_json_cursor* at, const char* name, const char* otherwise);
bool reference_boolean(const mrwi_json_cursor* at, const char* name, bool otherwise);

/// All numbers of an array, arrays inside it flattened: [[1, 2], [3, 4]] gives 1 2 3 4.
typedef struct reference_numbers {
    uint32_t count;
    double* values;
} reference_numbers;
reference_numbers reference_array(reference* file, const mrwi_json_cursor* at, const char* name);
/// The same as whole numbers.
uint32_t* reference_indices(reference* file, const mrwi_json_cursor* at, const char* name, uint32_t* out_count);
/// Run lengths to a mask; without the member everything is inside.
mrw_mask reference_mask(reference* file, const mrwi_json_cursor* at, const char* name);
/// Bones of a rig file.
mrw_node_desc* reference_bones(reference* file, const mrwi_json_cursor* at, const char* name, uint32_t* out_count);

#endif
