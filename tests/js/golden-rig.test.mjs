// Reference values of rigs: reading, bind matrices, live trees, skinning, clips to vertices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affine } from '../../wasm-api/js/author.js';
import { better, betterFor } from './better.mjs';
import { create, golden, inFileOrder, near, positionTolerance, precise, throwsCode } from './support.mjs';

const marrow = await create();
const used = new Set();

/** @param {string} file @param {string} name */
function exception(file, name) {
  const found = betterFor(file, name);
  if (found !== undefined) {
    used.add(found);
  }
  return found;
}

/** @param {any} expected list of parts with positions @param {import('../../wasm-api/js/index.js').Instance} hero @param {string} what */
function comparePositions(hero, expected, what) {
  assert.deepEqual(hero.parts.map((part) => part.name), expected.map((/** @type {any} */ part) => part.name), `${what}: parts`);
  expected.forEach((/** @type {any} */ part, /** @type {number} */ index) => {
    near(inFileOrder(hero.parts[index], hero.parts[index].positions), part.positions, positionTolerance(part.positions), `${what}: ${part.name}`);
  });
}

for (const number of [0, 1, 2, 3, 4, 5, 6, 7]) {
  const file = `lbs-s0${number}`;
  test(`${file}: skinning by hand`, () => {
    const { rig, rootTransform, invBind, bindExtent, cases } = golden(file);
    const model = marrow.loadRig2d(JSON.stringify(rig));
    model.bones.forEach((bone, index) => near(bone.inverseBind, invBind[index], precise, `inverse bind of ${bone.name}`));
    for (const { name, bones, deform, expected } of cases) {
      const world = marrow.createWorld();
      // The root must not show in the result.
      const hero = world.add(model, {
        x: rootTransform.x, y: rootTransform.y, rotation: rootTransform.rz, scaleX: rootTransform.sx, scaleY: rootTransform.sy,
      });
      near([hero.bindBounds.minY, hero.bindBounds.maxY], [bindExtent.minY, bindExtent.maxY], 1e-4, `${name}: bind extent`);
      const nodes = model.bones.map((bone) => hero.nodeAt(bone.node));
      bones.forEach((/** @type {number[] | null} */ pose, /** @type {number} */ index) => {
        if (pose === null) {
          nodes[index].remove();
        } else {
          nodes[index].set({ x: pose[0], y: pose[1], rotation: pose[2], scaleX: pose[3], scaleY: pose[4] });
        }
      });
      for (const [part, offsets] of Object.entries(deform ?? {})) {
        hero.setDeform(part, /** @type {number[]} */ (offsets));
      }
      world.update(0);
      comparePositions(hero, exception(file, name)?.value ?? expected, name);
      world.dispose();
    }
    model.dispose();
  });
}

test('hierarchy-s1: the live tree decides', () => {
  for (const { name, rigs, entities, expected } of golden('hierarchy-s1').cases) {
    const models = new Map(Object.entries(rigs).map(([key, rig]) => [key, marrow.loadRig2d(JSON.stringify(rig))]));
    const world = marrow.createWorld();
    const byId = new Map(entities.map((/** @type {any} */ entity) => [entity.id, entity]));
    const instances = new Map();
    const nodes = new Map();
    // Entities come in creation order, but a parent may come after its child.
    const make = (/** @type {any} */ entity) => {
      if (nodes.has(entity.id)) {
        return;
      }
      const parent = byId.get(entity.parent);
      if (parent !== undefined) {
        make(parent);
      }
      const owner = parent === undefined ? null : instances.get(parent.id) ?? nodes.get(parent.id)?.instance ?? null;
      const [x, y, rotation, scaleX, scaleY] = entity.t ?? [0, 0, 0, 1, 1];
      let node = null;
      if (owner !== null) {
        node = owner.addNode({ name: entity.bone ?? entity.id, parent: nodes.get(parent.id) ?? null, bone: entity.bone !== undefined, x, y, rotation, scaleX, scaleY });
      }
      if (entity.sprite !== undefined) {
        const instance = world.add(/** @type {any} */ (models.get(entity.sprite)), { nodes: false, x, y, rotation, scaleX, scaleY });
        instances.set(entity.id, instance);
        node = null;
      }
      nodes.set(entity.id, node);
    };
    entities.forEach(make);
    world.update(0);
    for (const [id, parts] of Object.entries(expected)) {
      const value = exception('hierarchy-s1', name)?.value[id] ?? parts;
      comparePositions(instances.get(id), value, `${name}: ${id}`);
    }
    world.dispose();
  }
});

test('normalize-s1: reading partial and malformed rigs', () => {
  for (const { name, input, expected } of golden('normalize-s1').cases) {
    const model = marrow.loadRig2d(JSON.stringify(input));
    const { tris } = exception('normalize-s1', name)?.value ?? {};
    const wanted = tris === undefined ? expected : { ...expected, parts: [{ ...expected.parts[0], tris }] };
    assert.equal(model.id, expected.id, `${name}: id`);
    assert.deepEqual(model.bones.map((bone) => [bone.name, bone.parent]), wanted.bones.map((/** @type {any} */ bone) => [bone.name, bone.parent]), `${name}: bones`);
    model.bones.forEach((bone, index) => {
      const { x, y, rot } = wanted.bones[index];
      near([bone.x, bone.y, bone.rotation], [x, y, rot], precise, `${name}: bone ${index}`);
      near(bone.inverseBind, wanted.invBind[index], precise, `${name}: inverse bind ${index}`);
    });
    const world = marrow.createWorld();
    const hero = world.add(model);
    world.update(0);
    for (const [bone, index] of Object.entries(wanted.boneIndexByName)) {
      assert.equal(hero.node(bone).slot, model.bones[/** @type {number} */ (index)].node, `${name}: ${bone}`);
    }
    assert.equal(model.parts.length, wanted.parts.length, `${name}: parts`);
    wanted.parts.forEach((/** @type {any} */ part, /** @type {number} */ index) => compareNormalized(model, hero, index, part, `${name}: ${part.name}`));
    world.dispose();
    model.dispose();
  }
});

/**
 * @param {import('../../wasm-api/js/index.js').Model} model
 * @param {import('../../wasm-api/js/index.js').Instance} hero
 * @param {number} index
 * @param {any} expected
 * @param {string} what
 */
function compareNormalized(model, hero, index, expected, what) {
  const data = model.parts[index];
  const part = hero.parts[index];
  assert.equal(data.name, expected.name, `${what}: name`);
  assert.equal(model.sprites[data.sprite]?.guid ?? '', expected.sprite, `${what}: sprite`);
  assert.equal(data.order, expected.order, `${what}: order`);
  assert.equal(data.visible, expected.visible, `${what}: visible`);
  assert.equal(part.vertexCount, expected.vertCount, `${what}: vertices`);
  near(inFileOrder(part, part.positions), expected.verts, 1e-5, `${what}: verts`);
  near(inFileOrder(part, part.uvs), expected.uvs, 1e-5, `${what}: uvs`);
  assert.deepEqual(Array.from(part.indices, (vertex) => part.vertexMap[vertex - part.firstVertex]), expected.tris, `${what}: tris`);

  const { first, joints, weights } = model.influences(index);
  for (let vertex = 0; vertex < expected.vertCount; vertex += 1) {
    const actual = new Map();
    for (let slot = first[vertex]; slot < first[vertex + 1]; slot += 1) {
      actual.set(joints[slot], (actual.get(joints[slot]) ?? 0) + weights[slot]);
    }
    const wanted = new Map();
    for (let slot = vertex * 4; slot < vertex * 4 + 4 && model.bones.length > 0; slot += 1) {
      if (expected.skinWeights[slot] !== 0) {
        wanted.set(expected.skinIndices[slot], (wanted.get(expected.skinIndices[slot]) ?? 0) + expected.skinWeights[slot]);
      }
    }
    assert.deepEqual([...actual.keys()].sort(), [...wanted.keys()].sort(), `${what}: bones of vertex ${vertex}`);
    for (const [bone, weight] of wanted) {
      near([actual.get(bone)], [weight], 1e-5, `${what}: weight of bone ${bone} at vertex ${vertex}`);
    }
  }
}

test('e2e-s1: clips to vertices', () => {
  for (const [number, { rig, clips, frames }] of golden('e2e-s1').cases.entries()) {
    const model = marrow.loadRig2d(JSON.stringify(rig));
    clips.forEach((/** @type {any} */ clip, /** @type {number} */ index) => model.addClip(JSON.stringify({ ...clip, name: `clip ${index}` })));
    for (const [index, { mode, time, fromTime, toTime, weight, pose, parts }] of frames.entries()) {
      const what = `case ${number}, frame ${index} (${mode})`;
      const world = marrow.createWorld();
      const hero = world.add(model);
      if (mode === 'single') {
        hero.play('clip 0', { loop: false }).seek(time);
        world.update(0);
      } else {
        // Neither clip moves, so the fade alone passes time: one second long, it is `weight` done after `weight` seconds.
        hero.play('clip 0', { loop: false, speed: 0 }).seek(fromTime);
        world.update(0);
        hero.play('clip 1', { loop: false, speed: 0, fade: 1, oneSidedFull: true }).seek(toTime);
        world.update(weight);
      }
      model.bones.forEach((bone, at) => {
        const { x, y, rotation, scaleX, scaleY } = hero.nodeAt(bone.node).local;
        near([x, y, rotation, scaleX, scaleY], pose[at], (value) => 1e-5 * (1 + Math.abs(value)), `${what}: pose of ${bone.name}`);
      });
      comparePositions(hero, parts, what);
      world.dispose();
    }
    model.dispose();
  }
});

test('anim-s1: clips as read, and their exact values', () => {
  for (const { name, clip, times, normalized, tracks } of golden('anim-s1').cases) {
    const model = marrow.loadRig2d('{}');
    model.addClip(JSON.stringify(clip));
    const data = model.clips[0];
    assert.deepEqual(
      { id: data.id ?? '', name: data.name, duration: data.duration, frameRate: data.frameRate, loop: data.loop }, normalized, `${name}: as read`);
    tracks.forEach((/** @type {any} */ track, /** @type {number} */ index) => {
      const { path, trait, field, type } = data.tracks[index];
      assert.deepEqual({ path, trait, field, type }, { path: track.path, trait: track.trait, field: track.field, type: track.type });
      const values = times.map((/** @type {number} */ time) => model.sample(0, index, time));
      near(values, track.values, type === 'color' ? 0 : precise, `${name}: track ${index}`);
    });
    throwsCode(() => model.sample(0, tracks.length, 0), 'BAD_INDEX');
    model.dispose();
  }
});

test('matrix-s1: affine helpers and rest poses', () => {
  for (const [index, each] of golden('matrix-s1').cases.entries()) {
    const what = `case ${index}`;
    if (each.bones !== undefined) {
      const model = marrow.loadRig2d(JSON.stringify({ bones: each.bones }));
      model.bones.forEach((bone, at) => {
        near(bone.matrix, each.rootLocal[at], precise, `${what}: rest of bone ${at}`);
        near(bone.inverseBind, each.invBind[at], precise, `${what}: inverse bind of bone ${at}`);
      });
      model.dispose();
      continue;
    }
    const compose = (/** @type {number[]} */ [x, y, rotation, scaleX, scaleY]) => affine.compose(x, y, rotation, scaleX, scaleY);
    const a = compose(each.a);
    const product = affine.multiply(a, compose(each.b));
    near(a, each.composeA, precise, `${what}: compose`);
    near(product, each.mulAB, precise, `${what}: a * b`);
    near(affine.invert(a), each.invertA, precise, `${what}: inverse`);
    near(affine.removeScale(a), each.removeScaleA, precise, `${what}: without scale`);
    near(affine.removeScale(product), each.removeScaleAB, precise, `${what}: product without scale`);
    near(affine.apply(a, each.point[0], each.point[1]), each.applyA, precise, `${what}: applied`);
  }
});

test('every better value is used', () => {
  assert.deepEqual(better.filter((each) => each.of === 'rig' && !used.has(each)), []);
});
