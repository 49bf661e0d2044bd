// The pictures of the documents: docs/kit.gif, drawn by the command line; docs/viewer/*, screenshots of the built page in Chromium; and
// docs/viewer.md, which shows them.
// Usage: npm run build && node tools/make-pictures.mjs [state ...]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import { openBrowser } from '../tests/web/support/browser.mjs';
import { serve } from '../tests/web/support/server.mjs';
import { palettePng } from './palette-png.mjs';
import { root, run } from './run.mjs';

const folder = path.join(root, 'docs/viewer');
const themes = /** @type {const} */ (['dark', 'light']);
const sizes = {
  desk: { width: 1280, height: 800 },
  small: { width: 900, height: 700 },
  phone: { width: 390, height: 844 },
};

/**
 * @typedef {object} State
 * @property {string} name
 * @property {string} title
 * @property {string} query
 * @property {(keyof typeof sizes)[]} [only] these sizes
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [act] before the picture is taken
 */

const broken = Buffer.from('{ "bones": [ { "name": "a" }, { "name": "b", }');

/** @type {State[]} */
const states = [
  { name: 'flat', title: '2D: Kit walks', query: '?rig=kit&clip=walk&t=0.2&play=0' },
  { name: 'world', title: '2.5D: Kit runs between boxes', query: '?rig=kit&clip=run&t=0.2&play=0&stage=2.5d' },
  { name: 'ground', title: 'Ground: Koi swims', query: '?rig=koi&clip=swim&t=0.4&play=0&stage=ground&heading=30' },
  { name: 'bones', title: 'Bones, and the handle that turns one', query: '?rig=kit&clip=wave&t=0.6&play=0&overlay=bones&bone=upperArm.R' },
  { name: 'wireframe', title: 'Wireframe', query: '?rig=koi&clip=dart&t=0.3&play=0&overlay=wireframe' },
  { name: 'weights', title: 'Weights of a bone', query: '?rig=kit&clip=idle&t=0.5&play=0&overlay=weights&bone=spine&tool=move' },
  { name: 'strongest', title: 'The strongest bone of each vertex', query: '?rig=banner&clip=storm&t=0.9&play=0&overlay=dominant' },
  { name: 'bounds', title: 'Bounds', query: '?rig=kit&clip=jump&t=0.4&play=0&overlay=bounds' },
  { name: 'error', title: 'A file that cannot be read', query: '?rig=kit&clip=sit&t=1&play=0',
    act: (page) => page.setInputFiles('#files', { name: 'broken.rig2d.json', mimeType: 'application/json', buffer: broken }) },
  { name: 'spherical', title: '2.5D, seen from above: spherical billboards', only: ['desk'],
    query: '?rig=kit&clip=jump&t=0.5&play=0&stage=2.5d&facing=spherical&view=1.6,3.2,3.4,0,0.7,0' },
  { name: 'world-bones', title: 'Bones in 2.5D', query: '?rig=kit&clip=run&t=0.3&play=0&stage=2.5d&overlay=bones&bone=head', only: ['desk'] },
  { name: 'ground-bones', title: 'Bones and wireframe on the ground', only: ['desk'],
    query: '?rig=koi&clip=dart&t=0.3&play=0&stage=ground&overlay=bones,wireframe&bone=spine2' },
  { name: 'help', title: 'Pointer and keys', query: '?rig=kit&play=0', only: ['desk'], act: (page) => page.keyboard.press('?') },
  { name: 'drawer', title: 'A drawer on a phone', query: '?rig=kit&clip=wave&t=0.6&play=0&overlay=bones&bone=head', only: ['phone'],
    act: (page) => page.getByRole('button', { name: 'Selection, view and figures' }).click() },
  { name: 'stress', title: 'How many at once', query: 'stress.html?rig=koi&n=60&as=crowd&play=0', only: ['desk', 'phone'] },
];

/** What an address says, and how. */
const address = [
  ['rig', 'a character by name, or where on the same site a `.rig2d.json` lies; one of another site is not fetched: save its files and drop them onto the page'],
  ['stage', '`2d`, `2.5d` or `ground`'],
  ['clip', 'by name'],
  ['t', 'seconds into the clip'],
  ['play', '`0`: the clip stands still'],
  ['loop', '`0`: it ends'],
  ['speed', '-8 to 8'],
  ['fade', 'seconds that a change of clip takes, up to 10'],
  ['overlay', 'of `bones`, `wireframe`, `weights`, `dominant`, `bounds`, with commas between'],
  ['bone', 'the selected one, by name'],
  ['tool', '`move`, `turn` or `scale`; `axes`: `local` or `world`'],
  ['pose', 'what is set by hand: `bone:rotation:x:y:scaleX:scaleY`, in degrees, with commas between bones; what is empty is not set, and what is no number or beyond all figures is told'],
  ['hide', 'parts by name, with commas between; `show`: those that the rig hides'],
  ['facing', '`cylindrical` or `spherical`, in 2.5D'],
  ['heading', 'degrees, on the ground'],
  ['view', 'where the camera is: `x,y,scale` in 2D, else `x,y,z,x,y,z` of the camera and of what it looks at'],
  ['theme', '`dark` or `light`; `backdrop`: `checker` or `plain`'],
  ['ui', '`0`: the stage alone, for frames'],
];

/** @param {string} name @param {string} size @param {string} theme */
const fileOf = (name, size, theme) => `${[name, ...(size === 'desk' ? [] : [size]), theme].join('-')}.png`;

/** @param {State} state */
const sizesOf = ({ only }) => only ?? /** @type {(keyof typeof sizes)[]} */ (Object.keys(sizes));

/** A page for people who look them all through. */
function describe() {
  const sections = states.map((state) => {
    const tables = sizesOf(state).map((size) => {
      const { width, height } = sizes[size];
      const pictures = themes.map((theme) => `![${state.title}, ${theme}](viewer/${fileOf(state.name, size, theme)})`);
      return `| ${width} × ${height}, dark | light |\n|---|---|\n| ${pictures.join(' | ')} |\n`;
    });
    return `## ${state.title}\n\n${tables.join('\n')}`;
  });
  const rows = address.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `# The viewer\n\nEvery stage, every overlay and an error, on a desk, in a small window and on a phone. \`node tools/make-pictures.mjs\` makes this page.\n\n`
    + `## The address\n\nWhat is seen is in the address, so that a link shows it again. What it does not name is as on a fresh page.\n\n`
    + `| name | what it says |\n|---|---|\n${rows.join('\n')}\n\n${sections.join('\n')}`;
}

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  rmSync(folder, { recursive: true, force: true });
}
mkdirSync(folder, { recursive: true });
run(process.execPath, ['wasm-api/js/cli.js', 'render', 'assets/kit', '--clip', 'walk', '--gif', '--size', '320', '-o', 'docs/kit.gif']);
const server = await serve({ '/': path.join(root, 'web/dist') });
const browser = await openBrowser();
for (const state of states.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  for (const size of sizesOf(state)) {
    for (const theme of themes) {
      const { page, close } = await browser.open(`${server.url}${state.query}&theme=${theme}`, { viewport: sizes[size] });
      await state.act?.(page);
      for (const [figure, still] of /** @type {const} */ ([['Uploaded', '0 B'], ['Renderer', '0.00 ms']])) {
        await page.locator(`[data-figure="${figure}"]`, { hasText: still }).waitFor({ state: 'attached' });
      }
      writeFileSync(path.join(folder, fileOf(state.name, size, theme)), palettePng(PNG.sync.read(await page.screenshot())));
      await close();
    }
  }
}
await browser.close();
await server.close();
writeFileSync(path.join(root, 'docs/viewer.md'), describe());
