/**
 * Offsets, in bytes, of the structs that JavaScript reads or writes in linear memory (`size`: of the whole struct). The asserts in
 * layout.h hold the same numbers against the C declarations.
 */
export const ERROR = { code: 0, line: 4, column: 8, offset: 16, path: 24, message: 216, size: 408 };
export const EVENT = { kind: 0, clip: 4, event: 8, layer: 12, time: 16, size: 24 };
export const HIT = { part: 0, triangle: 4, u: 8, v: 12, alpha: 16, size: 20 };
export const BOUNDS = { minX: 0, minY: 4, maxX: 8, maxY: 12, centerX: 16, centerY: 20, radius: 24, empty: 28, size: 32 };
export const EXCHANGE = { error: 0, event: 408, hit: 432, bounds: 452, number: 488, words: 496, text: 528, size: 568 };
export const WARNING = { code: 0, path: 4, message: 8, size: 12 };
export const FRAME = {
  page: 0, pageWidth: 4, pageHeight: 8, x: 12, y: 16, width: 20, height: 24, rotated: 28, trimX: 32, trimY: 36,
  sourceWidth: 40, sourceHeight: 44, size: 48,
};
export const WORLD = {
  changedCount: 0, changed: 4, verticesWritten: 8, instancesSkinned: 12, nodesChanged: 16, instanceCount: 20,
  time: 24, size: 32,
};
export const RUN = {
  page: 0, blend: 4, firstIndex: 8, indexCount: 12, firstVertex: 16, vertexCount: 20, color: 24, opacity: 28,
  firstPart: 32, partCount: 36, size: 40,
};
export const PART = {
  firstVertex: 0, vertexCount: 4, firstIndex: 8, indexCount: 12, page: 16, sprite: 20, visible: 24, color: 28,
  opacity: 32, order: 36, fileIndex: 40, vertexMap: 44, size: 48,
};
export const VIEW = {
  color: 0, opacity: 4, flipX: 8, flipY: 12, visible: 16, mode: 20, anchor: 24, alphaTest: 28, pixelsPerUnit: 32,
  size: 36,
};
export const INSTANCE = {
  version: 0, structureVersion: 4, poseVersion: 8, viewVersion: 12, dirty: 16, active: 20, pending: 24,
  vertexCount: 28, indexCount: 32, runCount: 36, partCount: 40, positions: 44, uvs: 48, indices: 52, runs: 56,
  parts: 60, nodeCount: 64, nodeStride: 68, base: 72, overrideValues: 76, overrideMask: 80, local: 84, world: 88,
  nodeFlags: 92, nodeParents: 96, root: 100, matrix: 120, view: 144, shown: 180, order: 216, time: 224, clip: 232,
  playing: 236, clipVersion: 240, eventPending: 244, bindBounds: 248, size: 264,
};
export const CROWD = {
  version: 0, structureVersion: 4, colorVersion: 8, memberCount: 12, vertexCount: 16, indexCount: 20,
  runCount: 24, positions: 28, uvs: 32, colors: 36, indices: 40, runs: 44, size: 48,
};
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
export const DRAW_OPTIONS = { width: 0, height: 4, matrix: 8, background: 56, size: 64 };
export const BILLBOARD_ARGS = {
  mode: 0, anchor: 4, pixelsPerUnit: 8, flipX: 16, flipY: 17, bindMinY: 24, bindMaxY: 32, position: 40,
  rotation: 64, scale: 96, cameraPosition: 120, cameraRotation: 144, size: 176,
};
export const BILLBOARD_PLACEMENT = { outerRotation: 0, innerScale: 32, innerOffsetY: 56, innerRotationX: 64, size: 72 };
