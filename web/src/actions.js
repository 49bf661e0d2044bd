import { MarrowError } from 'marrow2d';
import { FileError, readFiles } from './files.js';
import { groupErrors, noteFaults, noteOthers, notePictures } from './notes.js';
import { prefersStill } from './state.js';
import { rigAddress } from './url.js';

/** @typedef {import('./state.js').AppState} AppState */
/** @typedef {import('./panels/cards.jsx').CardData} CardData */

let cardCount = 0;
const mostCards = 12;
const mostOpened = 24;
/** Milliseconds after which the same change of the same bone is another step to undo. */
const stepPause = 1000;

/**
 * All that a person can do, for panels, keys and the pointer alike.
 *
 * @param {ReturnType<typeof import('./state.js').createState<AppState>>} state
 * @param {import('./workspace.js').Workspace} workspace
 * @param {() => import('./stages/stage.js').Stage} stage which one is seen
 * @param {import('./pose.js').Poses} poses
 */
export function createActions(state, workspace, stage, poses) {
  /** Opens that began earlier must not win over those that began later. */
  let latest = 0;
  let posedAt = 0;
  const scene = () => state.value.scene;
  const hero = () => state.value.scene?.hero ?? null;

  /** @param {Omit<CardData, 'id'>} card */
  function addCard(card) {
    cardCount += 1;
    state.set({ cards: [...state.value.cards, { id: cardCount, ...card }].slice(-mostCards) });
  }

  /** @param {unknown} error */
  function showError(error) {
    const { file, path, message, advice } = error instanceof FileError
      ? error : { file: 'Something went wrong', path: null, message: error instanceof Error ? error.message : String(error), advice: null };
    addCard({ kind: 'error', title: file, path, text: message, advice, choices: [] });
    if (error instanceof MarrowError && error.code === 'ABORTED') {
      addCard({ kind: 'error', title: 'Marrow', path: null, text: 'The core stopped.', advice: 'Load the page again.', choices: [] });
    }
  }

  /**
   * @param {string} what for the progress bar
   * @param {() => Promise<import('./workspace.js').Scene>} read
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
        state.set({ scene: opened, bone: null, hovered: null, parts: new Map() });
        if (before !== null) {
          workspace.close(before);
        }
      }
      describe();
    } catch (error) {
      if (turn === latest) {
        showError(error);
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
        make: (picture) => actions.openFiles([{ file: picture.brought.file, path: picture.name }], true),
      }).forEach(addCard);
      noteFaults(open).forEach(addCard);
    }
  }

  const actions = {
    showError,

    /**
     * Says that something takes a while, and what went wrong with it.
     * @param {string} what
     * @param {Promise<void>} work
     */
    async wait(what, work) {
      state.set({ busy: what });
      try {
        await work;
      } catch (error) {
        showError(error);
      } finally {
        if (state.value.busy === what) {
          state.set({ busy: null });
        }
      }
    },

    /** @param {() => void} reload */
    offerUpdate(reload) {
      addCard({ kind: 'note', title: 'Marrow', path: null, text: 'A newer version of this page is here.', advice: null, choices: [{ label: 'Load it', act: reload }] });
    },

    /** @param {number} id */
    closeCard(id) {
      state.set({ cards: state.value.cards.filter((card) => card.id !== id) });
    },

    closeCards: () => state.set({ cards: [] }),

    /** @param {Omit<CardData, 'id'>} card */
    tell: addCard,

    /**
     * @param {string} rig one of ours, or an address
     * @param {boolean} [keepsCards]
     */
    openRig: (rig, keepsCards) => open(rig, () => workspace.openUrl(rigAddress(rig), rig), keepsCards),

    /**
     * @param {readonly import('./files.js').Brought[]} files
     * @param {boolean} [anew] not for what is open
     */
    async openFiles(files, anew = false) {
      if (files.length === 0) {
        return;
      }
      /** @type {FileError[]} */
      let problems = [];
      /** @type {import('./workspace.js').Characters} */
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
        addCard(noteOthers(others, (character) => void actions.openFiles(character.files, true)));
      }
      groupErrors(problems).forEach(showError);
    },

    // ------------------------------------------------------------------------------------------ playback

    togglePlay() {
      const open = scene();
      if (open === null || open.hero.clip === null) {
        return;
      }
      const { model, hero: playing } = open;
      const clip = model.clips.find(({ name }) => name === playing.clip);
      if (!playing.playing && !state.value.loop && clip !== undefined && playing.time >= clip.duration) {
        playing.play(clip.name, { loop: false, speed: state.value.speed });
      } else {
        playing.pause(playing.playing);
      }
    },

    /** @param {string} name @param {number} [fade] seconds */
    playClip(name, fade = state.value.fade) {
      const { loop, speed } = state.value;
      hero()?.play(name, { fade, loop, speed });
    },

    /** @param {number} time */
    seek(time) {
      hero()?.pause().seek(time);
    },

    /** @param {number} frames */
    step(frames) {
      const open = scene();
      const clip = open?.model.clips.find(({ name }) => name === open.hero.clip);
      if (open && clip) {
        const time = open.hero.time + frames / (clip.frameRate || 60);
        open.hero.pause().seek(clip.duration > 0 ? ((time % clip.duration) + clip.duration) % clip.duration : 0);
      }
    },

    /** @param {number} speed */
    setSpeed(speed) {
      state.set({ speed });
      hero()?.setSpeed(speed);
    },

    /** @param {boolean} loop */
    setLoop(loop) {
      state.set({ loop });
      const playing = hero();
      if (playing !== null && playing.clip !== null) {
        const paused = !playing.playing;
        playing.play(playing.clip, { loop, speed: state.value.speed, keepTime: true }).pause(paused);
      }
    },

    /** @param {number} fade seconds */
    setFade: (fade) => state.set({ fade }),

    // ------------------------------------------------------------------------------------------ view

    /** @param {AppState['stage']} name */
    setStage: (name) => state.set({ stage: name }),

    /** @param {AppState['overlay'][number]} name */
    toggleOverlay(name) {
      const { overlay } = state.value;
      // Two maps of the same triangles would hide each other.
      const other = name === 'weights' ? 'dominant' : name === 'dominant' ? 'weights' : null;
      state.set({ overlay: overlay.includes(name) ? overlay.filter((each) => each !== name) : [...overlay.filter((each) => each !== other), name] });
    },

    /** @param {Partial<Pick<AppState, 'tool' | 'axes' | 'facing' | 'heading' | 'theme' | 'backdrop' | 'drawer'>>} patch */
    set: (patch) => state.set(patch),

    toggleAxes: () => state.set({ axes: state.value.axes === 'local' ? 'world' : 'local' }),

    fit: () => stage().fit(),

    /** @param {number} factor */
    zoom: (factor) => stage().zoom(factor),

    // ------------------------------------------------------------------------------------------ bones and parts

    /** @param {number | null} bone slot */
    select: (bone) => state.set({ bone }),

    /** @param {number | null} hovered slot */
    hover(hovered) {
      if (hovered !== state.value.hovered) {
        state.set({ hovered });
      }
    },

    /**
     * Poses a bone. Time stops, so that the hand does not fight the clip.
     * @param {number} slot
     * @param {Partial<import('./pose.js').Local>} fields
     * @param {boolean} [isHeld] by a hand that has not let go: however long it rests, all of it is one step
     */
    pose(slot, fields, isHeld = false) {
      const posed = hero();
      if (posed !== null) {
        posed.pause();
        if (!isHeld && performance.now() - posedAt > stepPause) {
          poses.endStep();
        }
        posedAt = performance.now();
        poses.set(posed, slot, fields);
      }
    },

    /** The next change of a bone is undone alone. */
    endStep: () => poses.endStep(),

    /**
     * Moves the selected bone along the sheet.
     * @param {number} dx rig units
     * @param {number} dy
     */
    async nudge(dx, dy) {
      const { nudged, toLocalOf } = await import('./overlay/local-space.js');
      const { bone } = state.value;
      const open = scene();
      if (open !== null && bone !== null) {
        const noScale = open.model.bones.find(({ node }) => node === bone)?.noScale ?? false;
        actions.pose(bone, nudged(poses.localOf(open.hero, bone), toLocalOf(open.hero.nodeAt(bone), noScale), dx, dy));
      }
    },

    resetBone() {
      const { bone } = state.value;
      const posed = hero();
      if (posed !== null && bone !== null) {
        poses.reset(posed, bone);
      }
    },

    resetPose() {
      const posed = hero();
      if (posed !== null) {
        poses.resetAll(posed);
      }
    },

    undo() {
      const posed = hero();
      if (posed !== null) {
        poses.undo(posed);
      }
    },

    redo() {
      const posed = hero();
      if (posed !== null) {
        poses.redo(posed);
      }
    },

    /**
     * @param {number} index in draw order
     * @param {boolean} visible
     */
    showPart(index, visible) {
      const open = scene();
      if (open === null) {
        return;
      }
      const part = open.model.parts[index];
      open.hero.part(index).visible = visible;
      const parts = new Map(state.value.parts).set(part.name, visible);
      if (visible === part.visible) {
        parts.delete(part.name);
      }
      state.set({ parts });
    },

    /**
     * What a link says of bones and parts. Names that the rig does not have are passed over.
     * @param {import('./url.js').Wish} wish
     */
    begin({ pose, hide, show }) {
      const open = scene();
      if (open === null) {
        return;
      }
      const slots = new Map(open.model.bones.map(({ name, node }) => [name, node]));
      poses.begin(open.hero, new Map(pose.flatMap(([name, fields]) => {
        const slot = slots.get(name);
        return slot === undefined ? [] : [[slot, fields]];
      })));
      open.model.parts.forEach(({ name }, index) => {
        if (hide.includes(name) || show.includes(name)) {
          actions.showPart(index, show.includes(name));
        }
      });
    },

    /**
     * Where a bone is now, below its parent.
     * @param {number} slot
     */
    localOf(slot) {
      const posed = hero();
      return posed === null ? null : poses.localOf(posed, slot);
    },

    /**
     * Moves a part to another place in the draw order.
     * @param {number} from index in draw order
     * @param {number} to
     */
    movePart(from, to) {
      const open = scene();
      if (open === null || from === to || to < 0 || to >= open.model.parts.length) {
        return;
      }
      const order = open.model.parts.map(({ fileIndex }) => fileIndex);
      order.splice(to, 0, ...order.splice(from, 1));
      try {
        state.set({ scene: workspace.reorderParts(open, order) });
      } catch (error) {
        showError(error);
      }
    },
  };
  return actions;
}

/** @typedef {ReturnType<typeof createActions>} Actions */
