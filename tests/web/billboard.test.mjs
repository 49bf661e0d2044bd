// RigBillboard and orientRigs against the reference placements, without a browser: orientation, inner node, world positions and draw order.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PerspectiveCamera, Scene, Vector3 } from 'three';
import { createMarrow } from '../../wasm-api/js/index.js';
import { RigBillboard, orientRigs } from '../../wasm-api/js/three.js';

/** @param {number[]} flat */
const pairs = (flat) => Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index], flat[2 * index + 1]]);

/** @param {ArrayLike<number>} actual @param {number[]} expected @param {string} what */
function assertClose(actual, expected, what) {
  assert.equal(actual.length, expected.length, what);
  const tolerance = 1e-3 + 1e-5 * Math.max(...expected.map(Math.abs));
  expected.forEach((value, index) => assert.ok(Math.abs(actual[index] - value) <= tolerance, `${what}[${index}]: ${actual[index]}, expected ${value}`));
}

/** @param {any} entity @param {import('../../wasm-api/js/index.js').Marrow} marrow @param {import('../../wasm-api/js/index.js').World} world */
function standUp(entity, marrow, world) {
  const parts = entity.parts.map((/** @type {any} */ { name, order, visible, bind }) => ({
    name, order, visible, mesh: { verts: pairs(bind), uvs: [], tris: pairs(bind).flatMap((_, index) => [0, index, (index + 1) % (bind.length / 2)]) },
  }));
  const hero = world.add(marrow.loadRig2d(JSON.stringify({ bones: [], parts })));
  for (const { name, bind, deformed } of entity.parts) {
    hero.setDeform(name, deformed.map((/** @type {number} */ value, /** @type {number} */ index) => value - bind[index]));
  }
  const { color, opacity, flipX, flipY, isVisible } = entity.sprite;
  Object.assign(hero.view, { color, opacity, flipX, flipY, visible: isVisible });
  const view = new RigBillboard(hero, () => null, {
    mode: entity.mode, anchor: entity.anchor ?? 'bottom', pixelsPerUnit: entity.pixelsPerUnit, alphaTest: entity.alphaTest,
  });
  const { x, y, z, rx, ry, rz, sx, sy, sz } = entity.transform;
  view.position.set(x, y, z);
  view.rotation.set(rx, ry, rz);
  view.scale.set(sx, sy, sz);
  return view;
}

/** World positions of a part, in the file's order of vertices. @param {RigBillboard} view @param {string} name */
function worldOf(view, name) {
  const part = /** @type {import('../../wasm-api/js/index.js').Instance} */ (view.instance).part(name);
  /** @type {number[]} */
  const out = [];
  part.vertexMap.forEach((fileIndex, index) => {
    const point = new Vector3(part.positions[2 * index], part.positions[2 * index + 1], 0).applyMatrix4(view.mesh.matrixWorld);
    [out[3 * fileIndex], out[3 * fileIndex + 1], out[3 * fileIndex + 2]] = point.toArray();
  });
  return out;
}

test('placements of the reference', async () => {
  const { cases } = JSON.parse(readFileSync(new URL('../golden/modoki/billboard-s1.json', import.meta.url), 'utf8'));
  const marrow = await createMarrow();
  assert.ok(cases.length > 0);
  for (const [number, { camera: eye, entities }] of cases.entries()) {
    const world = marrow.createWorld();
    const scene = new Scene();
    const views = entities.map((/** @type {any} */ entity) => standUp(entity, marrow, world));
    scene.add(...views);
    const camera = new PerspectiveCamera();
    camera.position.fromArray(eye.position);
    camera.quaternion.fromArray(eye.quaternion);
    world.update(0);
    orientRigs(views, camera);
    scene.updateMatrixWorld();
    /** @type {{ expected: number, rank: number, order: number }[]} */
    const drawn = [];
    entities.forEach((/** @type {any} */ { expected, parts }, /** @type {number} */ index) => {
      const view = views[index];
      const where = `case ${number}, entity ${index}`;
      assert.equal(view.isShown, expected.groupVisible, where);
      assertClose(view.quaternion.toArray(), expected.groupQuaternion, `${where}: orientation`);
      assertClose([view.inner.scale.x, view.inner.scale.y], expected.innerScale, `${where}: scale`);
      assertClose([view.inner.position.y, view.inner.rotation.x], [expected.innerOffsetY, expected.innerRotationX], `${where}: inner node`);
      expected.parts.forEach((/** @type {any} */ part, /** @type {number} */ at) => {
        assertClose(worldOf(view, parts[at].name), part.world, `${where}: ${parts[at].name}`);
        if (expected.groupVisible && part.visible) {
          drawn.push({ expected: part.renderOrder, rank: view.renderOrder, order: view.instance.part(parts[at].name).index });
        }
      });
    });
    // Their numbers say rank and order in one; ours are compared as an order.
    const byNumber = [...drawn].sort((a, b) => a.expected - b.expected);
    const byRank = [...drawn].sort((a, b) => a.rank - b.rank || a.order - b.order);
    assert.deepEqual(byRank, byNumber, `case ${number}: draw order`);
    world.dispose();
  }
  marrow.dispose();
});

test('what cannot be shown is told in MarrowErrors', async () => {
  const marrow = await createMarrow();
  const model = marrow.loadRig2d(JSON.stringify({ bones: [], sprite: 'a.png', mesh: { verts: [[0, 0], [1, 0], [0, 1]], uvs: [[0, 0], [1, 0], [0, 1]], tris: [0, 1, 2] } }));
  const world = marrow.createWorld();
  const hero = world.add(model);
  const crowd = world.createCrowd();
  const textures = () => null;
  const refused = { name: 'MarrowError', code: 'BAD_ARGUMENT' };
  for (const wrong of /** @type {any[]} */ ([undefined, null, model, crowd, crowd.add(model)])) {
    assert.throws(() => new RigBillboard(wrong, textures), refused);
  }
  const view = new RigBillboard(hero, textures, { mode: 'flat', pixelsPerUnit: 50 });
  for (const wrong of /** @type {any[]} */ ([undefined, null, 'kit.png', 5])) {
    assert.throws(() => new RigBillboard(hero, wrong), refused);
    assert.throws(() => { view.textures = wrong; }, refused);
  }
  for (const wrong of /** @type {any[]} */ ([null, 'round', Symbol('round'), NaN, {}])) {
    for (const name of ['mode', 'anchor', 'pixelsPerUnit', 'alphaTest']) {
      assert.throws(() => new RigBillboard(hero, textures, { [name]: wrong }), refused, name);
      assert.throws(() => { /** @type {any} */ (view)[name] = wrong; }, refused, name);
    }
  }
  assert.deepEqual([view.mode, view.anchor, view.pixelsPerUnit, view.alphaTest], ['flat', 'bottom', 50, 0.5]);
  // What is no texture leaves a hole.
  view.textures = /** @type {any} */ (() => 'kit.png');
  view.sync();
  hero.dispose();
  assert.throws(() => new RigBillboard(hero, textures), { name: 'MarrowError', code: 'STALE' });
  marrow.dispose();
});
