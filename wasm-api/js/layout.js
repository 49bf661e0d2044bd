/**
 * Offsets, in bytes, of the structs that JavaScript reads or writes in linear memory (`size`: of the whole struct). The asserts in
 * layout.h hold the same numbers against the C declarations. Those that the main entry reads most are modules: a bundler puts the
 * numbers in place of their names, which it cannot do for the members of an object.
 */
export * as INSTANCE from './layout/instance.js';
export * as EXCHANGE from './layout/exchange.js';
export * as FRAME from './layout/frame.js';
export * as VIEW from './layout/view.js';
export * as PART from './layout/part.js';
export * as CROWD from './layout/crowd.js';
export * as RUN from './layout/run.js';
export const ERROR = { code: 0, line: 4, column: 8, offset: 16, path: 24, message: 216, size: 408 };
export const EVENT = { kind: 0, clip: 4, event: 8, layer: 12, time: 16, size: 24 };
export const HIT = { part: 0, triangle: 4, u: 8, v: 12, alpha: 16, size: 20 };
export const BOUNDS = { minX: 0, minY: 4, maxX: 8, maxY: 12, centerX: 16, centerY: 20, radius: 24, empty: 28, size: 32 };
export const WARNING = { code: 0, path: 4, message: 8, size: 12 };
export const WORLD = {
  changedCount: 0, changed: 4, verticesWritten: 8, instancesSkinned: 12, nodesChanged: 16, instanceCount: 20,
  time: 24, size: 32,
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
