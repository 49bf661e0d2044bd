import { readFiles } from '../files.js';
import { groupErrors, noteFaults, noteOthers, notePictures } from '../notes.js';
import { prefersStill } from '../state.js';
import { rigAddress } from '../url.js';

/** @typedef {import('../state.js').AppState} AppState */

const mostOpened = 24;

/**
 * Opening what there is on the web and what a person brings.
 * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
 * @param {import('../workspace.js').Workspace} workspace
 * @param {import('./cards.js').CardActions} cards
 */
export function createOpening(state, workspace, cards) {
  /** Opens that began earlier must not win over those that began later. */
  let latest = 0;
  const scene = () => state.value.scene;

  /**
   * @param {string} what for the progress bar
   * @param {() => Promise<import('../workspace.js').Scene>} read
   * @param {boolean} [keepsCards] what was said before still counts
   */
  async function open(what, read, keepsCards = false) {
    latest += 1;
    const turn = latest;
    state.set({ busy: what });
    try {
      const opened = await read();
      if (turn !== latest) {
        if (opened.guid !== scene()?.guid) {
          workspace.close(opened);
        }
        return;
      }
      if (!keepsCards) {
        state.set({ cards: [] });
      }
      const before = scene();
      if (before !== null && opened.guid === before.guid) {
        state.set({ scene: opened });
        workspace.tidy(before, opened);
      } else {
        if (opened.model.clips.length > 0) {
          opened.hero.play(0, { loop: state.value.loop, speed: state.value.speed }).pause(prefersStill());
        }
        const { overlay } = state.value;
        const isBare = opened.model.parts.every(({ triangleCount }) => triangleCount === 0);
        state.set({ scene: opened, bone: null, hovered: null, parts: new Map(), overlay: isBare && !overlay.includes('bones') ? [...overlay, 'bones'] : overlay });
        if (before !== null) {
          workspace.close(before);
        }
      }
      describe();
    } catch (error) {
      if (turn === latest) {
        cards.showError(error);
      }
    } finally {
      if (turn === latest) {
        state.set({ busy: null });
      }
    }
  }

  /** What a person should know of what opened. */
  function describe() {
    const open = scene();
    if (open !== null) {
      notePictures(open, {
        use(picture, guid) {
          state.set({ scene: workspace.usePicture(open, picture, guid), cards: [] });
          describe();
        },
        make: (picture) => openFiles([{ file: picture.brought.file, path: picture.name }], true),
      }).forEach(cards.tell);
      noteFaults(open).forEach(cards.tell);
    }
  }

  /**
   * @param {readonly import('../files.js').Brought[]} files
   * @param {boolean} [anew] not for what is open
   */
  async function openFiles(files, anew = false) {
    if (files.length === 0) {
      return;
    }
    /** @type {import('../files.js').FileError[]} */
    let problems = [];
    /** @type {import('../workspace.js').Characters} */
    let others = [];
    await open(files[0].path, async () => {
      const before = scene();
      const found = await readFiles(files);
      problems = found.problems;
      const { scene: opened, characters } = await workspace.openFiles(found, anew ? null : before);
      const names = new Set(characters.map(({ name }) => name));
      // What came later belongs to it as well.
      const known = state.value.opened.map((each) => (
        opened.guid === before?.guid && each.name === opened.name ? { name: each.name, files: [...each.files, ...files] } : each));
      state.set({ opened: [...characters, ...known.filter(({ name }) => !names.has(name))].slice(0, mostOpened) });
      others = characters.slice(1);
      return opened;
    });
    if (others.length > 0) {
      cards.tell(noteOthers(others, (character) => void openFiles(character.files, true)));
    }
    groupErrors(problems).forEach(cards.showError);
  }

  return {
    openFiles,

    /**
     * @param {string} rig one of ours, or an address
     * @param {boolean} [keepsCards]
     */
    openRig: (rig, keepsCards) => open(rig, () => workspace.openUrl(rigAddress(rig), rig), keepsCards),
  };
}
