/** Like ../layout.js, for the structs that only authoring reads or writes. */
export const WARNING = { code: 0, path: 4, message: 8, size: 12 };
export const NODE_DESC = { name: 0, parent: 4, x: 8, y: 16, rotation: 24, scaleX: 32, scaleY: 40, noScale: 48, extras: 52, size: 56 };
export const KEY_DESC = {
  time: 0, value: 8, inTangent: 16, outTangent: 24, inWeight: 32, outWeight: 40, mode: 48, broken: 52,
  hasBroken: 53, extras: 56, size: 64,
};
export const MASK = { width: 0, height: 4, inside: 8, size: 12 };
export const GRID_OPTIONS = { width: 0, height: 8, columns: 16, rows: 24, pivotX: 32, pivotY: 40, mask: 48, size: 64 };
export const WEIGHT_OPTIONS = { falloff: 0, radius: 8, maxInfluences: 16, size: 24 };
export const BONE_OPTIONS = { width: 0, height: 8, count: 16, pivotX: 24, pivotY: 32, axis: 40, mask: 44, size: 56 };
export const RIG_OPTIONS = {
  id: 0, sprite: 4, width: 8, height: 16, pivotX: 24, pivotY: 32, columns: 40, rows: 48, cellSize: 56,
  boneCount: 64, axis: 72, weights: 80, mask: 104, bones: 116, boneCountGiven: 120, size: 128,
};
export const PAINT_OPTIONS = {
  positions: 0, vertexCount: 4, bone: 8, centerX: 16, centerY: 24, radius: 32, strength: 40, mode: 48,
  constant: 52, bonePositions: 56, bonePositionCount: 60, size: 64,
};
export const IMAGE = { width: 0, height: 4, pixels: 8, size: 12 };
export const SHOWN = {
  vertexCount: 0, runCount: 4, pageCount: 8, positions: 12, uvs: 16, indices: 20, runs: 24, parts: 28, pages: 32, view: 36, size: 72,
};
export const DRAW_OPTIONS = { width: 0, height: 4, matrix: 8, background: 56, size: 64 };
export const BILLBOARD_ARGS = {
  mode: 0, anchor: 4, pixelsPerUnit: 8, flipX: 16, flipY: 17, bindMinY: 24, bindMaxY: 32, position: 40,
  rotation: 64, scale: 96, cameraPosition: 120, cameraRotation: 144, size: 176,
};
export const BILLBOARD_PLACEMENT = { outerRotation: 0, innerScale: 32, innerOffsetY: 56, innerRotationX: 64, size: 72 };
