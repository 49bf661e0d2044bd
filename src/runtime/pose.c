#include "runtime/pose.h"

void mrwi_pose_world(const mrwi_pose_args* args)
{
    mrwi_pose_world_scalar(args);
}

bool mrwi_pose_palette(uint32_t joint_count, const int32_t* joints, const mrwi_affine2* binds, const mrwi_affine2* world,
    const mrwi_affine2* root, mrwi_affine2* palette)
{
    return mrwi_pose_palette_scalar(joint_count, joints, binds, world, root, palette);
}
