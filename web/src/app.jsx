import 'pixi.js/unsafe-eval';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createMarrow } from 'marrow2d';
import { createActions } from './actions/actions.js';
import { showFailure } from './failure.js';
import { filesOf } from './files.js';
import { keepHistory } from './history.js';
import { createKeys, listenForKeys } from './keys.js';
import { createLoop } from './loop.js';
import { noteUnknown } from './notes.js';
import { keepOffline } from './offline.js';
import { Cards } from './panels/cards.jsx';
import { Figures } from './panels/figures.jsx';
import { Header } from './panels/header.jsx';
import { Help } from './panels/help.jsx';
import { PageContext } from './panels/page.jsx';
import { Parts } from './panels/parts.jsx';
import { Selection } from './panels/selection.jsx';
import { Transport } from './panels/transport.jsx';
import { BoneTree } from './panels/tree.jsx';
import { Veil } from './panels/veil.jsx';
import { View } from './panels/view.jsx';
import { Stages } from './stages/stages.js';
import { Poses } from './pose.js';
import { createState, initialState, prefersStill } from './state.js';
import { readAddress, strangersIn } from './url.js';
import { Workspace } from './workspace.js';

async function start() {
  const wish = readAddress(new URLSearchParams(location.search));
  const fresh = initialState();
  const state = createState({ ...fresh, ...wish.state });
  const { documentElement } = document;
  state.subscribe(({ theme, ui, drawer }) => {
    Object.assign(documentElement.dataset, { theme, ui: ui ? '1' : '0', drawer: drawer ?? '' });
  });

  const stages = new Stages(stageElement('stage-flat', 'The figure, flat'), stageElement('stage-world', 'The figure, in a small world'), () => loop.wake());
  const stage = () => stages.current;
  /** @type {import('./overlay/overlay.js').Overlay | null} */
  let overlay = null;
  const loop = createLoop(stage, () => state.value.scene?.hero.playing ?? false, () => overlay?.update());
  state.subscribe(loop.wake);
  const mounted = stages.mount();
  // It needs the binary of authoring, which the first frame does not wait for.
  const looking = Promise.all([import('./overlay/overlay.js'), import('./overlay/hand.js')]);
  const workspace = new Workspace(await createMarrow());
  const poses = new Poses(loop.wake);
  const actions = createActions(state, workspace, stage, poses);

  let showHelp = () => {};
  const keys = createKeys(() => showHelp());
  render(
    <PageContext.Provider value={{ state, actions, loop, workspace, keys, stage }}>
      <Page layers={stages.elements} onReady={(show) => { showHelp = show; }} />
    </PageContext.Provider>, /** @type {HTMLElement} */ (document.getElementById('app')));
  // The files come while the renderer begins.
  const opened = actions.openRig(wish.rig);
  await mounted;
  state.subscribe((now) => {
    const coming = stages.follow(now);
    if (coming !== null) {
      void actions.wait('three.js', coming.catch((error) => {
        state.set({ stage: '2d' });
        throw error;
      }));
    }
  });

  listenForKeys(keys, actions);
  listenForFiles(actions);
  await opened;
  if (state.value.scene === null) {
    await actions.openRig('kit', true);
  }
  applyWish(state.value.scene, wish, actions);
  await stages.settled();
  lookAt(stage(), wish.view, actions);
  loop.start(workspace.world);
  overlay = await lookInside(looking, state, actions, workspace, stage, loop.wake);
  loop.sayReady();
  keepHistory(state, fresh, stage, poses, async (past, own) => {
    const { scene, opened: brought } = state.value;
    const files = own === null ? undefined : brought.find(({ name }) => name === own)?.files;
    const isOpen = files === undefined ? past.rig === scene?.address : scene?.address === null && scene.name === own;
    if (!isOpen) {
      await (files === undefined ? actions.openRig(past.rig) : actions.openFiles(files, true));
      applyWish(state.value.scene, past, actions);
    }
    state.set({ stage: past.state.stage ?? fresh.stage });
    await stages.settled();
    if (!isOpen) {
      lookAt(stage(), past.view, actions);
    }
  });
  keepOffline(actions.offerUpdate);
}

/**
 * Bones, meshes and handles over the stage, and the pointer that works with them.
 * @param {Promise<[typeof import('./overlay/overlay.js'), typeof import('./overlay/hand.js')]>} modules
 * @param {ReturnType<typeof createState<import('./state.js').AppState>>} state
 * @param {import('./actions/actions.js').Actions} actions
 * @param {Workspace} workspace
 * @param {() => import('./stages/stage.js').Stage} stage
 * @param {() => void} wake asks for a frame
 */
async function lookInside(modules, state, actions, { marrow }, stage, wake) {
  const [{ Overlay }, { Hand }] = await modules;
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const overlay = new Overlay(state, marrow, stage, wake);
  main.append(overlay.element);
  overlay.hand = new Hand(main, state, actions, overlay);
  return overlay;
}

/** @param {string} id @param {string} label */
function stageElement(id, label) {
  const element = document.createElement('div');
  Object.assign(element, { id, className: 'stage', ariaLabel: label, role: 'application', tabIndex: 0 });
  return element;
}

/** @param {{ layers: HTMLElement[], onReady: (showHelp: () => void) => void }} props */
function Page({ layers, onReady }) {
  const [helps, setHelps] = useState(false);
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => onReady(() => setHelps(true)), []);
  // Once: what is appended again lies over all that came after it.
  useLayoutEffect(() => main.current?.append(...layers), []);
  return (
    <>
      <Header onHelp={() => setHelps(true)} />
      <div class="middle">
        <aside id="left" tabIndex={-1} aria-label="Bones and parts"><BoneTree /><Parts /></aside>
        <main ref={main} />
        <aside id="right" tabIndex={-1} aria-label="Selection, view and figures"><Selection /><View /><Figures /></aside>
        <Veil />
      </div>
      <Transport />
      <Cards />
      {helps && <Help onClose={() => setHelps(false)} />}
    </>
  );
}

/**
 * @param {import('./workspace.js').Scene | null} scene
 * @param {import('./url.js').Wish} wish
 * @param {import('./actions/actions.js').Actions} actions
 */
function applyWish(scene, wish, actions) {
  const { clip, time, play, bone, unknown } = wish;
  if (scene === null) {
    return;
  }
  const { hero, model } = scene;
  if (clip !== null && model.clips.some(({ name }) => name === clip)) {
    actions.playClip(clip, 0);
  }
  if (time !== null) {
    hero.seek(time);
  }
  if (!play || prefersStill()) {
    hero.pause();
  }
  if (bone !== null) {
    actions.select(model.bones.find(({ name }) => name === bone)?.node ?? null);
  }
  actions.begin(wish);
  [...unknown, ...(scene.address === wish.rig ? strangersIn(wish, model) : [])].forEach((each) => actions.tell(noteUnknown(each)));
}

/**
 * @param {import('./stages/stage.js').Stage} stage
 * @param {string} view
 * @param {import('./actions/actions.js').Actions} actions
 */
function lookAt(stage, view, actions) {
  if (view !== '' && !stage.look(view)) {
    actions.tell(noteUnknown({ name: 'view', value: view, known: stage.knownView }));
  }
}

/**
 * @param {DataTransfer} data
 * @param {import('./actions/actions.js').Actions} actions
 */
async function openDropped(data, actions) {
  const { files, problems } = await filesOf(data);
  await actions.openFiles(files);
  problems.forEach(actions.showError);
}

/** @param {import('./actions/actions.js').Actions} actions */
function listenForFiles(actions) {
  const drop = /** @type {HTMLElement} */ (document.getElementById('drop'));
  const hasFiles = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event)) {
      event.preventDefault();
      drop.hidden = false;
    }
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    drop.hidden = relatedTarget === null || drop.hidden;
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.hidden = true;
    if (event.dataTransfer !== null) {
      void openDropped(event.dataTransfer, actions);
    }
  });
}

start().catch(showFailure);
