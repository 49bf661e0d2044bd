// docs/api.md names what a program finds at run time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { create, readAsset, root } from './support.mjs';

const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');

/** What the page says under a title. @param {string} title */
function section(title) {
  const at = page.indexOf(`\n### ${title}\n`);
  assert.ok(at >= 0, `docs/api.md has no ${title}`);
  return page.slice(at + 1).split(/\n#{2,3} /)[0];
}

/** @param {object} instance @returns {string[]} names of its accessors, of those of its base classes too */
function accessorsOf(instance) {
  const names = [];
  for (let type = Object.getPrototypeOf(instance); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    names.push(...Object.entries(Object.getOwnPropertyDescriptors(type)).filter(([, { get }]) => get !== undefined).map(([name]) => name));
  }
  return [...new Set(names)];
}

test('every field behind view and shown', async () => {
  const marrow = await create();
  const hero = marrow.createWorld().add(marrow.loadRig2d(readAsset('bar/bar.rig2d.json')));
  const names = accessorsOf(hero.view);
  assert.ok(names.length >= 9);
  for (const name of names) {
    assert.match(section('class `ViewFields`'), new RegExp(`\`get ${name}\\(\\)`));
    assert.match(section('class `ViewFields`'), new RegExp(`\`set ${name}\\(`));
  }
  for (const name of ['view', 'shown', 'positions', 'bounds', 'version', 'x', 'model', 'clip', 'play', 'on']) {
    assert.match(section('class `Instance`'), new RegExp(`\`(?:get )?${name}\\b`), name);
  }
  marrow.dispose();
});

test('every member of plain data', async () => {
  const marrow = await create();
  const model = marrow.loadRig2d(readAsset('kit/kit.rig2d.json'));
  model.addClip(readAsset('kit/walk.anim.json'));
  const world = marrow.createWorld();
  const hero = world.add(model);
  world.update(0);
  const data = model.describe();
  /** @type {[string, object][]} */
  const described = [
    ['`ModelData`', data], ['`BoneData`', data.bones[0]], ['`PartData`', data.parts[0]], ['`SpriteData`', data.sprites[0]],
    ['`ClipData`', data.clips[0]], ['`Extent`', hero.bindBounds], ['`Bounds`', hero.bounds], ['`Run`', hero.runs[0]],
  ];
  for (const [title, value] of described) {
    for (const name of Object.keys(value)) {
      assert.match(section(title), new RegExp(`\`${name}\\??: `), title);
    }
  }
  marrow.dispose();
});
