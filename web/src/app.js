import 'pixi.js/unsafe-eval';
import { createMarrow } from 'marrow2d';
import { readFiles } from './files.js';
import { Cards } from './panels/cards.js';
import { Figures } from './panels/figures.js';
import { Gallery, rigAddress } from './panels/gallery.js';
import { Transport } from './panels/transport.js';
import { Workspace } from './workspace.js';
import { PixiStage } from './stages/pixi.js';
import { ThreeStage } from './stages/three.js';
import { createState } from './state.js';

const longestStep = 0.1;
const fade = 0.2;

/** @param {string} id */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

async function start() {
  const options = new URLSearchParams(location.search);
  document.documentElement.dataset.ui = options.get('ui') ?? '1';
  const cards = new Cards(element('cards'));
  const state = createState({ scene: /** @type {import('./workspace.js').Scene | null} */ (null) });
  const stages = { pixi: new PixiStage(element('stage-2d')), three: new ThreeStage(element('stage-3d')) };
  const figures = new Figures(element('panel'));
  const transport = new Transport(element('transport'), {
    onToggle: () => toggle(state.value.scene),
    onClip: (name) => state.value.scene?.hero.play(name, { fade }),
    onSeek: (time) => state.value.scene?.hero.pause().seek(time),
  });
  const workspace = new Workspace(await createMarrow());
  await stages.pixi.mount();
  stages.three.mount();

  state.subscribe(({ scene }, before) => {
    if (scene !== null && scene !== before.scene) {
      stages.pixi.show(scene);
      stages.three.show(scene);
      transport.show(scene);
      element('rig-name').textContent = scene.name;
      gallery.show(scene.name);
      if (before.scene !== null) {
        workspace.close(before.scene);
      }
    }
  });

  /** @param {() => Promise<import('./workspace.js').Scene | null>} open */
  async function open(open) {
    try {
      const scene = await open();
      cards.clear();
      state.set({ scene: scene ?? state.value.scene });
      if (state.value.scene !== null) {
        transport.show(state.value.scene);
        describe(cards, state.value.scene);
      }
    } catch (error) {
      cards.showError(error);
    }
  }

  listenForFiles((files) => void open(async () => workspace.openFiles(await readFiles(files), state.value.scene)));
  document.addEventListener('keydown', (event) => {
    if (event.code === 'Space' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      toggle(state.value.scene);
    }
  });
  const gallery = new Gallery(element('gallery'), (name) => void open(() => workspace.openUrl(rigAddress(name))));
  await open(() => workspace.openUrl(rigAddress(options.get('rig'))));
  applyOptions(state.value.scene, options);
  run({ workspace, state, stages, figures, transport });
}

/** @param {import('./workspace.js').Scene | null} scene */
function toggle(scene) {
  scene?.hero.pause(scene.hero.playing);
}

/**
 * What the address asks for: `clip`, `t`, `play=0`.
 * @param {import('./workspace.js').Scene | null} scene
 * @param {URLSearchParams} options
 */
function applyOptions(scene, options) {
  const clip = options.get('clip');
  if (clip !== null) {
    scene?.hero.play(clip);
  }
  if (options.has('t')) {
    scene?.hero.seek(Number(options.get('t')));
  }
  if (options.get('play') === '0') {
    scene?.hero.pause();
  }
}

/**
 * What a person should know of what opened.
 * @param {Cards} cards
 * @param {import('./workspace.js').Scene} scene
 */
function describe(cards, { name, missing, model }) {
  if (missing.length > 0) {
    cards.showNote(name, `No picture for ${missing.join(', ')}. Drop the rig together with its pictures.`);
  }
  for (const { path, message } of model.warnings.slice(0, 3)) {
    cards.showNote(name, `${path}: ${message}`);
  }
}

/** @param {(files: File[]) => void} onFiles */
function listenForFiles(onFiles) {
  const input = /** @type {HTMLInputElement} */ (element('files'));
  input.addEventListener('change', () => {
    onFiles([...(input.files ?? [])]);
    input.value = '';
  });
  const drop = element('drop');
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener('dragleave', (event) => {
    drop.hidden = event.relatedTarget === null || drop.hidden;
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.hidden = true;
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
}

/**
 * @param {object} parts
 * @param {Workspace} parts.workspace
 * @param {ReturnType<typeof createState<{ scene: import('./workspace.js').Scene | null }>>} parts.state
 * @param {{ pixi: PixiStage, three: ThreeStage }} parts.stages
 * @param {Figures} parts.figures
 * @param {Transport} parts.transport
 */
function run({ workspace, state, stages, figures, transport }) {
  let last = performance.now();
  let uploadedBefore = 0;

  /** @param {number} now */
  function frame(now) {
    requestAnimationFrame(frame);
    const dt = Math.min(longestStep, Math.max(0, (now - last) / 1000));
    last = now;
    const begin = performance.now();
    workspace.world.update(dt);
    const updated = performance.now();
    const pixiDrew = stages.pixi.update();
    const pixiDone = performance.now();
    const threeDrew = stages.three.update();
    const uploaded = stages.pixi.uploadedBytes + stages.three.uploadedBytes;
    const measured = {
      core: updated - begin,
      pixi: pixiDrew ? pixiDone - updated : 0,
      three: threeDrew ? performance.now() - pixiDone : 0,
      uploaded: Math.max(0, uploaded - uploadedBefore),
    };
    uploadedBefore = uploaded;
    figures.add(measured);
    const { scene } = state.value;
    if (scene !== null) {
      figures.show(workspace, scene, measured);
      transport.update();
    }
    document.documentElement.dataset.ready = '';
  }
  requestAnimationFrame(frame);
}

start().catch((error) => {
  new Cards(element('cards')).showError(error);
  document.documentElement.dataset.ready = 'failed';
});
