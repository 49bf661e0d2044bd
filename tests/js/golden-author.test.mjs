// Reference values of authoring: grids, weights, bones, rigs, edits, brush, curves, frames, billboards.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { autoRig, autoWeights, billboard, buildRig, curves, dominantBones, edit, frameUVs, generateGrid, paint, suggestBones, weightField } from '../../wasm-api/js/author.js';
import { better, betterFor } from './better.mjs';
import { create, golden, near, positionTolerance, precise, root } from './support.mjs';

await create();
const used = new Set();

/**
 * A mask is written as runs of alternating transparent and opaque cells.
 * @param {{ w: number, h: number, rows: number[][] } | undefined} mask
 */
function maskOf(mask) {
  if (mask === undefined) {
    return null;
  }
  const inside = mask.rows.flatMap((runs) => runs.flatMap((length, index) => new Array(length).fill(index % 2)));
  assert.equal(inside.length, mask.w * mask.h);
  return { width: mask.w, height: mask.h, inside: Uint8Array.from(inside) };
}

/** @param {any} input */
function optionsOf({ mask, cols, ...input }) {
  return { ...input, mask: maskOf(mask), ...(cols === undefined ? {} : { columns: cols }) };
}

/** @param {any} actual @param {any} expected @param {string} what */
function compareMesh(actual, expected, what) {
  near(actual.verts.flat(), expected.verts.flat(), 1e-5, `${what}: verts`);
  near(actual.uvs.flat(), expected.uvs.flat(), 1e-5, `${what}: uvs`);
  assert.deepEqual(actual.tris, expected.tris, `${what}: tris`);
}

/** @param {any} actual @param {any} expected @param {string} what */
function compareBones(actual, expected, what) {
  assert.deepEqual(actual.map((/** @type {any} */ bone) => [bone.name, bone.parent]), expected.map((/** @type {any} */ bone) => [bone.name, bone.parent]), `${what}: bones`);
  actual.forEach((/** @type {any} */ bone, /** @type {number} */ index) => {
    const { x, y, rot } = expected[index];
    near([bone.x, bone.y, bone.rot ?? 0], [x, y, rot ?? 0], precise, `${what}: bone ${index}`);
  });
}

/** @param {any} actual @param {any} expected @param {string} what */
function compareWeights(actual, expected, what) {
  assert.equal(actual.skinIndices.length, expected.skinIndices.length, `${what}: slots`);
  for (let vertex = 0; vertex < expected.skinIndices.length / 4; vertex += 1) {
    const [mine, theirs] = [actual, expected].map(({ skinIndices, skinWeights }) => {
      const weights = new Map();
      for (let slot = vertex * 4; slot < vertex * 4 + 4; slot += 1) {
        weights.set(skinIndices[slot], (weights.get(skinIndices[slot]) ?? 0) + skinWeights[slot]);
      }
      return weights;
    });
    for (const bone of new Set([...mine.keys(), ...theirs.keys()])) {
      near([mine.get(bone) ?? 0], [theirs.get(bone) ?? 0], 1e-5, `${what}: weight of bone ${bone} at vertex ${vertex}`);
    }
  }
}

test('grid-s1', () => {
  golden('grid-s1').cases.forEach(({ input, expected }, /** @type {number} */ index) => compareMesh(generateGrid(optionsOf(input)), expected, `case ${index}`));
});

test('autoweights-s1', () => {
  golden('autoweights-s1').cases.forEach(({ bones, verts, options, expected }, /** @type {number} */ index) => {
    compareWeights(autoWeights(verts, bones, options), expected, `case ${index}`);
  });
});

test('autobones-s1', () => {
  golden('autobones-s1').cases.forEach(({ input, expected }, /** @type {number} */ index) => compareBones(suggestBones(optionsOf(input)), expected, `case ${index}`));
});

test('autorig-s1', () => {
  golden('autorig-s1').cases.forEach(({ op, input, expected }, /** @type {number} */ index) => {
    const what = `case ${index} (${op})`;
    const rig = op === 'autoRig2D' ? autoRig(optionsOf(input)) : buildRig(optionsOf(input));
    assert.deepEqual(Object.keys(rig).sort(), Object.keys(expected).sort(), `${what}: members`);
    assert.equal(rig.sprite, expected.sprite, `${what}: sprite`);
    assert.equal(rig.id, expected.id, `${what}: id`);
    compareBones(rig.bones, expected.bones, what);
    compareMesh(rig.mesh, expected.mesh, what);
    compareWeights(rig, expected, what);
  });
});

test('rigedit-s1', () => {
  golden('rigedit-s1').cases.forEach(({ op, rig, args, expected }, /** @type {number} */ index) => {
    const what = `case ${index} (${op} ${args})`;
    const before = structuredClone(rig);
    const wanted = { ...expected.rig, ...betterValue('rigedit-s1', `case ${index}`) };
    let result;
    if (op === 'addBone') {
      const added = edit.addBone(rig, args[0], args[1], args[2]);
      assert.equal(added.index, expected.index, `${what}: index`);
      result = added.rig;
    } else {
      result = op === 'removeBone' ? edit.removeBone(rig, args[0]) : edit.reparentBone(rig, args[0], args[1]);
      assert.equal(result === rig, expected.unchanged ?? false, `${what}: unchanged`);
    }
    assert.deepEqual(rig, before, `${what}: the input stays`);
    if (result !== rig) {
      compareBones(result.bones, wanted.bones, what);
      compareWeights(result, wanted, what);
      assert.equal(result.id, wanted.id, `${what}: id`);
    }
  });
});

/** @param {string} file @param {string} name */
function betterValue(file, name) {
  const found = betterFor(file, name);
  used.add(found);
  return found?.value;
}

test('paint-s1', () => {
  const { cases, fields } = golden('paint-s1');
  cases.forEach(({ input, expected }, /** @type {number} */ index) => {
    const { boneIndex, ...rest } = input;
    const before = structuredClone(input);
    compareWeights(paint({ ...rest, bone: boneIndex }), expected, `case ${index}`);
    assert.deepEqual(input, before);
  });
  fields.forEach((/** @type {any} */ { bone, weightField: field, dominant, vertCount, ...weights }, /** @type {number} */ index) => {
    assert.equal(field.length, vertCount);
    near(weightField(weights, bone), field, 1e-5, `field ${index}`);
    assert.deepEqual(dominantBones(weights), dominant, `field ${index}: strongest bones`);
  });
});

test('tangents-s1', () => {
  golden('tangents-s1').cases.forEach((each, /** @type {number} */ index) => {
    const what = `case ${index} (${each.op})`;
    if (each.op === 'advanceClipTime') {
      near([curves.advance(each.time, each.dt, each.duration, each.loop)], [each.expected], precise, what);
      return;
    }
    const keys = each.op === 'applyTangentMode'
      ? curves.setMode(each.keys, each.index, each.mode)
      : each.inserts.reduce((/** @type {any} */ made, /** @type {number[]} */ [time, value]) => curves.insert(made, time, value).keys, []);
    assert.equal(keys.length, each.expected.length, what);
    keys.forEach((/** @type {any} */ key, /** @type {number} */ at) => {
      const { tangentMode, broken, ...numbers } = each.expected[at];
      assert.equal(key.tangentMode, tangentMode, `${what}: mode of key ${at}`);
      assert.equal(key.broken, broken, `${what}: broken of key ${at}`);
      for (const [member, value] of Object.entries(numbers)) {
        near([key[member]], [/** @type {number} */ (value)], precise, `${what}: ${member} of key ${at}`);
      }
    });
  });
});

test('frameuv-s1', () => {
  golden('frameuv-s1').cases.forEach(({ uvs, uvRect, frame, sheet, expected }, /** @type {number} */ index) => {
    const unit = uvRect === null ? null : { x: uvRect.u0, y: uvRect.v0, width: uvRect.uw, height: uvRect.vh, pageWidth: 1, pageHeight: 1 };
    near(frameUVs(uvs, unit), expected, 1e-5, `case ${index}`);
    if (frame !== undefined) {
      const pixels = { x: frame.x, y: frame.y, width: frame.w, height: frame.h, pageWidth: sheet.w, pageHeight: sheet.h };
      near(frameUVs(uvs, pixels), expected, 1e-5, `case ${index} in pixels`);
    }
  });
});

test('billboard-s1: where rigs stand', () => {
  golden('billboard-s1').cases.forEach(({ camera, entities }, /** @type {number} */ number) => {
    for (const [index, entity] of entities.entries()) {
      const { transform: t, sprite, bindExtent, expected } = entity;
      const what = `case ${number}, entity ${index} (${entity.mode})`;
      const placed = billboard.place({
        mode: entity.mode,
        anchor: entity.anchor,
        pixelsPerUnit: entity.pixelsPerUnit,
        flipX: sprite.flipX,
        flipY: sprite.flipY,
        bindMinY: bindExtent.minY,
        bindMaxY: bindExtent.maxY,
        position: [t.x, t.y, t.z],
        rotation: quaternionOf(t.rx, t.ry, t.rz),
        scale: [t.sx, t.sy, t.sz],
        cameraPosition: camera.position,
        cameraRotation: camera.quaternion,
      });
      near(placed.innerScale.slice(0, 2), expected.innerScale, precise, `${what}: scale`);
      near([placed.innerOffsetY, placed.innerRotationX], [expected.innerOffsetY, expected.innerRotationX], precise, `${what}: offset, rotation`);
      // One that is not seen is not turned to the camera.
      const outerRotation = expected.groupVisible ? placed.outerRotation : quaternionOf(t.rx, t.ry, t.rz);
      compareQuaternion(outerRotation, expected.groupQuaternion, `${what}: orientation`);
      for (const [part, each] of expected.parts.entries()) {
        const world = entity.parts[part].deformed.length / 2;
        const points = Array.from({ length: world }, (_, vertex) => toWorld({ ...placed, outerRotation }, t, entity.parts[part].deformed, vertex)).flat();
        near(points, each.world, positionTolerance(each.world), `${what}: part ${part}`);
      }
    }
  });
});

/**
 * Euler angles in the order X, Y, Z.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
function quaternionOf(x, y, z) {
  const [cx, cy, cz] = [x, y, z].map((angle) => Math.cos(angle / 2));
  const [sx, sy, sz] = [x, y, z].map((angle) => Math.sin(angle / 2));
  return [sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz, cx * cy * cz - sx * sy * sz];
}

/** A quaternion and its negative turn alike. @param {number[]} actual @param {number[]} expected @param {string} what */
function compareQuaternion(actual, expected, what) {
  const sign = Math.sign(actual.reduce((sum, value, index) => sum + value * expected[index], 0)) || 1;
  near(actual.map((value) => value * sign), expected, precise, what);
}

/** @param {number[]} q @param {number[]} v */
function rotate([x, y, z, w], [vx, vy, vz]) {
  const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx];
}

/**
 * outer T * R * S, then inner offset * rotation about x * scale, then (x, -y, 0).
 * @param {ReturnType<typeof billboard.place>} placed
 * @param {any} t
 * @param {number[]} positions
 * @param {number} vertex
 */
function toWorld({ outerRotation, innerScale, innerOffsetY, innerRotationX }, t, positions, vertex) {
  const scaled = [positions[vertex * 2] * innerScale[0], -positions[vertex * 2 + 1] * innerScale[1], 0];
  const [cos, sin] = [Math.cos(innerRotationX), Math.sin(innerRotationX)];
  const inner = [scaled[0], scaled[1] * cos + innerOffsetY, scaled[1] * sin];
  const outer = rotate(outerRotation, [inner[0] * t.sx, inner[1] * t.sy, inner[2] * t.sz]);
  return [outer[0] + t.x, outer[1] + t.y, outer[2] + t.z];
}

test('every better value is used', () => {
  assert.deepEqual(better.filter((each) => each.of === 'author' && !used.has(each)), []);
});

test('no vector file is forgotten', () => {
  const covered = [
    'anim-s1', 'autobones-s1', 'autorig-s1', 'autoweights-s1', 'billboard-s1', 'e2e-s1', 'frameuv-s1', 'grid-s1', 'hierarchy-s1', 'lbs-s00', 'lbs-s01',
    'lbs-s02', 'lbs-s03', 'lbs-s04', 'lbs-s05', 'lbs-s06', 'lbs-s07', 'matrix-s1', 'normalize-s1', 'paint-s1', 'rigedit-s1', 'tangents-s1',
  ];
  const files = readdirSync(path.join(root, 'tests/golden/modoki')).filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));
  assert.deepEqual(files.sort(), covered);
});
