import { readable } from '../url.js';

/**
 * What the snippets are about.
 * @typedef {object} Subject
 * @property {string} title of the character
 * @property {string} rig address, or file name
 * @property {string | null} clip
 * @property {string[]} clips files that the rig does not name itself
 * @property {Record<string, string>} pictures files by GUID that the rig does not name itself
 * @property {string[]} files all that must lie beside the page; none when the rig has an address
 * @property {string} page address of this page as a link has it, without its panels, for frames
 */

/**
 * @param {import('../workspace.js').Scene} scene
 * @param {string} page address, with its query
 * @returns {Subject}
 */
export function subjectOf({ name, address, rig, clips, model, hero, pictures }, page) {
  const base = new URL('.', page).href;
  const query = new URL(page).searchParams;
  query.set('rig', address ?? rig.name);
  query.set('ui', '0');
  const frame = `${base}?${readable(query)}`;
  const title = name.replace(/(\.rig2d)?\.[^.]+$/, '');
  if (address !== null) {
    const url = model.url ?? new URL(address, base).href;
    return { title, rig: url, clip: hero.clip, clips: [], pictures: {}, files: [], page: frame };
  }
  const named = new Map(model.assets.map(({ guid, path }) => [guid, path]));
  const own = [...named.values()];
  const others = clips.map((clip) => clip.name).filter((file) => !own.some((path) => path === file || path.endsWith(`/${file}`)));
  const loose = Object.fromEntries([...pictures].filter(([guid]) => !named.has(guid)).map(([guid, picture]) => [guid, picture.name]));
  return {
    title, rig: rig.name, clip: hero.clip, clips: others, pictures: loose,
    files: [...new Set([rig.name, ...own, ...Object.values(loose), ...others])],
    page: frame,
  };
}

/** @param {unknown} value as JavaScript writes it */
function literal(value) {
  return `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** @param {Subject} subject */
function manifest({ pictures }) {
  const entries = Object.entries(pictures);
  return entries.length === 0 ? '' : `{ manifest: { ${entries.map(([guid, file]) => `${literal(guid)}: ${literal(file)}`).join(', ')} } }`;
}

/** @param {Subject} subject */
function heading({ files }, packages = '') {
  return `// npm install marrow2d ${packages}\n${files.length === 0 ? '' : `// Beside this page: ${files.join(', ')}\n`}`;
}

/** @param {Subject} subject */
function playing({ clip, clips }) {
  const adding = clips.map((file) => `model.addClip(await (await fetch(${literal(file)})).text());\n`).join('');
  return `${adding}const world = marrow.createWorld();\nconst hero = world.add(model);\n${clip === null ? '' : `hero.play(${literal(clip)});\n`}`;
}

/** @param {Subject} subject a module of an application with PixiJS */
export function pixiSnippet(subject) {
  return `${heading(subject, 'pixi.js')}import { Application, Assets, extensions } from 'pixi.js';
import { createMarrow } from 'marrow2d';
import { RigView, marrowLoader } from 'marrow2d/pixi';

const app = new Application();
await app.init({ resizeTo: window, preference: 'webgl', background: '#20242c', antialias: true });
document.body.append(app.canvas);

const marrow = await createMarrow(${manifest(subject)});
extensions.add(marrowLoader(marrow));
const { model, textures } = await Assets.load(${literal(subject.rig)});
${playing(subject)}
const view = new RigView(hero, textures);
app.stage.addChild(view);

// In the middle, with some room around it.
const { minX, minY, maxX, maxY } = hero.bindBounds;
app.ticker.add(({ deltaMS }) => {
  const { width, height } = app.screen;
  view.scale.set(0.8 * Math.min(width / (maxX - minX), height / (maxY - minY)));
  view.position.set(width / 2 - (view.scale.x * (minX + maxX)) / 2, height / 2 - (view.scale.y * (minY + maxY)) / 2);
  world.update(deltaMS / 1000);
});
`;
}

/** @param {Subject} subject a module of an application with three.js */
export function threeSnippet(subject) {
  return `${heading(subject, 'three')}import { Color, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { createMarrow } from 'marrow2d';
import { RigBillboard, RigLoader, orientRigs } from 'marrow2d/three';

const renderer = new WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const scene = new Scene();
scene.background = new Color('#20242c');
const camera = new PerspectiveCamera(40, 1, 0.1, 100);
camera.position.set(0, 1.4, 4.5);
camera.lookAt(0, 1, 0);

const marrow = await createMarrow(${manifest(subject)});
const { model, textures } = await new RigLoader(marrow).loadAsync(${literal(subject.rig)});
${playing(subject)}
// Two units tall, standing on the ground.
const { minX, minY, maxX, maxY } = hero.bindBounds;
const pixelsPerUnit = Math.max(maxX - minX, maxY - minY) / 2;
const view = new RigBillboard(hero, textures, { mode: 'cylindrical', anchor: 'bottom', pixelsPerUnit });
scene.add(view);

function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

let last = performance.now();
renderer.setAnimationLoop((now) => {
  world.update(Math.max(0, now - last) / 1000);
  last = now;
  orientRigs([view], camera);
  renderer.render(scene, camera);
});
`;
}

/** @param {Subject} subject a page that shows this one in a frame */
export function htmlSnippet({ title, page, files }) {
  const beside = files.length === 0 ? '' : `<!-- The frame's page finds these beside it: ${files.join(', ')} -->\n`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${escaped(title)}</title>
</head>
<body>
  ${beside}<iframe src="${escaped(page)}" title="${escaped(title)}" width="480" height="480" style="border: 0"></iframe>
</body>
</html>
`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
