/// What the two files of the rig reader share.
#ifndef MRWI_FORMATS_RIG2D_MESH_H
#define MRWI_FORMATS_RIG2D_MESH_H

#include "formats/reader.h"

/// Coordinates of bones and vertices lie within this, either way. It leaves room for what poses multiply them by.
#define MRWI_RIG2D_COORDINATE_MAX 1e9

/// A number as the reference reads it. Whatever is no number, or none that fits f32, is a repair.
double mrwi_rig2d_number(mrwi_reader* reader, mrwi_json_cursor* at);
/// The same for a coordinate, which is clamped.
double mrwi_rig2d_coordinate(mrwi_reader* reader, mrwi_json_cursor* at);
/// Members of a part, `out`, in the order in which they must be read: "mesh", "skinIndices" and "skinWeights". The mesh comes into the
/// model's list, which has room for one more than it counts.
void mrwi_rig2d_read_mesh(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user);
void mrwi_rig2d_read_joints(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user);
void mrwi_rig2d_read_weights(mrwi_reader* reader, mrwi_json_cursor* at, void* out, void* user);

#endif
