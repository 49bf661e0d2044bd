import 'pixi.js/unsafe-eval';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createMarrow } from 'marrow2d';
import { showFailure } from '../failure.js';
import { createLoop } from '../loop.js';
import { keepOffline } from '../offline.js';
import { Icon } from '../controls/icon.jsx';
import { disposePicture, readPicture, texturesOf } from '../pictures.js';
import { createState } from '../state.js';
import { rigAddress } from '../url.js';
import { freshStress, problemsIn, readStress, writeStress } from './address.js';
import { Controls } from './controls.jsx';
import { Field } from './field.js';
import { StressFigures } from './stress-figures.jsx';

/** @typedef {import('./address.js').Stress} Stress */
/** @typedef {Stress & { clips: readonly string[], busy: boolean, problems: readonly string[] }} StressState */

async function start() {
  const fresh = freshStress();
  const query = new URLSearchParams(location.search);
  /** @type {ReturnType<typeof createState<StressState>>} */
  const state = createState({ ...readStress(query), clips: [], busy: true, problems: [] });
  state.subscribe(({ theme }) => {
    document.documentElement.dataset.theme = theme;
  });
  const marrow = await createMarrow();
  const world = marrow.createWorld();
  const element = document.createElement('div');
  Object.assign(element, { id: 'field', className: 'stage', ariaLabel: 'The characters', role: 'img' });
  const field = new Field(element, world, () => loop.wake());
  const loop = createLoop(() => field, () => field.isMoving, () => field.grow());
  render(<StressPage state={state} stage={element} figures={<StressFigures loop={loop} field={field} world={world} marrow={marrow} />} />,
    /** @type {HTMLElement} */ (document.getElementById('app')));
  await field.mount();
  const show = createShow(marrow, field, state);
  await show(state.value.rig);
  if (state.value.problems.length === 0) {
    state.set({ problems: problemsIn(query, state.value.clips) });
  }
  state.subscribe((now, before) => {
    field.configure(now);
    history.replaceState(null, '', writeStress(now, fresh));
    if (now.rig !== before.rig) {
      void show(now.rig);
    }
  });
  loop.start(world);
  loop.sayReady();
  keepOffline(() => undefined);
}

/**
 * Loads a rig and puts it on the field.
 * @param {import('marrow2d').Marrow} marrow
 * @param {Field} field
 * @param {ReturnType<typeof createState<StressState>>} state
 */
function createShow(marrow, field, state) {
  let latest = 0;
  let close = () => {};
  return async (/** @type {string} */ rig) => {
    latest += 1;
    const turn = latest;
    state.set({ busy: true, problems: [] });
    try {
      const loaded = await load(marrow, rig);
      if (turn !== latest) {
        loaded.close();
        return;
      }
      field.show(loaded.model, loaded.textures);
      close();
      close = loaded.close;
      const clips = loaded.model.clips.map(({ name }) => name);
      state.set({ busy: false, clips, clip: clips.includes(state.value.clip) ? state.value.clip : '' });
    } catch (error) {
      if (turn === latest) {
        state.set({ busy: false, problems: [error instanceof Error ? error.message : String(error)] });
      }
    }
  };
}

/**
 * @param {import('marrow2d').Marrow} marrow
 * @param {string} rig
 */
async function load(marrow, rig) {
  const model = await marrow.load(rigAddress(rig), { images: false });
  /** @type {Map<string, import('../pictures.js').Picture>} */
  const pictures = new Map();
  await Promise.all(model.sprites.map(async ({ guid, page }) => {
    const url = model.images[page]?.url;
    if (url) {
      pictures.set(guid, await readPicture(guid, await (await fetch(url)).blob()));
    }
  }));
  return {
    model,
    textures: texturesOf(pictures),
    close() {
      model.dispose();
      pictures.forEach(disposePicture);
    },
  };
}

/** @param {{ state: ReturnType<typeof createState<StressState>>, stage: HTMLElement, figures: import('preact').ComponentChild }} props */
function StressPage({ state, stage, figures }) {
  const [value, setValue] = useState(state.value);
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => state.subscribe(setValue), [state]);
  useLayoutEffect(() => main.current?.append(stage), []);
  const other = value.theme === 'dark' ? 'light' : 'dark';
  return (
    <>
      <header>
        <a class="button" href="./" title="Back to the figure"><Icon name="back" /><span>Marrow</span></a>
        <h1>How many at once</h1>
        <div class="end">
          <button type="button" class="icon" aria-label={`${other === 'light' ? 'Light' : 'Dark'} theme`} onClick={() => state.set({ theme: other })}><Icon name="theme" /></button>
        </div>
        {value.busy && <progress aria-label="Opening the character" />}
      </header>
      <div class="middle">
        <main ref={main} />
        <aside aria-label="What is shown, and what it costs">
          <Controls value={value} set={(patch) => state.set(patch)} />
          {figures}
        </aside>
      </div>
    </>
  );
}

start().catch(showFailure);
