/// Where a file may be that a rig names.
#ifndef MRWI_FORMATS_ASSET_PATH_H
#define MRWI_FORMATS_ASSET_PATH_H

#include <stdbool.h>

/// True for a path, relative to the rig, of something in the rig's folder or below it. False for an empty one, one with a root, a
/// drive letter or a scheme (another origin), one that ".." leads out of the folder, and one with control characters or a blank in
/// front, which URLs ignore. "\" counts as "/" and "%2e" as ".", since they do in URLs.
bool mrwi_asset_path_is_inside(const char* path);

#endif
