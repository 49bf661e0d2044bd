// The map of strongest bones: bones that meet have colors that nobody takes for each other.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createMarrow } from 'marrow2d';
import { root } from './support/harness.mjs';
import { boneColors, colorApart } from '../../web/src/overlay/colors.js';
import { Influences } from '../../web/src/overlay/influences.js';

/** Of Okabe and Ito's eight, those that look alike at a glance, by name. */
const alike = [['56b4e9', '0072b2'], ['0072b2', '009e73'], ['e69f00', 'd55e00'], ['e69f00', 'f0e442'], ['d55e00', 'cc79a7'], ['f0e442', 'dfe3ea']];

for (const name of ['kit', 'koi', 'banner']) {
  test(`${name}: no two of a triangle's bones look alike`, async () => {
    const marrow = await createMarrow();
    const model = await marrow.load(path.join(root, `assets/${name}/${name}.rig2d.json`), { images: false });
    const hero = marrow.createWorld().add(model);
    const influences = new Influences(hero, model);
    const dominants = influences.dominants();
    const parents = model.bones.map(({ parent }) => parent);
    const colors = colorApart(influences.neighbors(dominants, parents));
    const pairs = new Set();
    for (let at = 0; at < hero.indices.length; at += 1) {
      const other = at % 3 === 2 ? at - 2 : at + 1;
      const [a, b] = [dominants[hero.indices[at]], dominants[hero.indices[other]]];
      if (a !== b) {
        pairs.add([a, b].map((bone) => boneColors[colors[bone]].style.slice(1)).sort().join());
      }
    }
    assert.ok(pairs.size > 0);
    for (const [a, b] of [...alike, ...alike.flat().map((color) => [color, color])]) {
      assert.ok(!pairs.has([a, b].sort().join()), `${a} beside ${b}`);
    }
  });
}

test('many that all touch each other still get a color each', () => {
  const all = Array.from({ length: 12 }, (_, index) => new Set(Array.from({ length: 12 }, (_each, other) => other).filter((other) => other !== index)));
  const colors = colorApart(all);
  assert.equal(new Set(colors).size, boneColors.length);
});
