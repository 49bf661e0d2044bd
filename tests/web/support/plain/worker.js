// Workers have no import maps, so the address is spelled out.
import { createMarrow } from '/wasm-api/js/index.js';

const marrow = await createMarrow();
const world = marrow.createWorld();
const hero = world.add(await marrow.load('/assets/bar/bar.rig2d.json'));
hero.bone('mid').rotation = Math.PI / 2;
world.update(0);
const part = hero.part('main');
// The middle of the top row is vertex 1 of the file.
const at = part.vertexMap.indexOf(1);
postMessage({ end: [part.positions[2 * at], part.positions[2 * at + 1]] });
