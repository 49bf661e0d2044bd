import { MarrowError } from 'marrow2d';
import { FileError, readFiles } from './files.js';
import { prefersStill } from './state.js';
import { rigAddress } from './url.js';

/** @typedef {import('./state.js').AppState} AppState */
/** @typedef {import('./panels/cards.jsx').CardData} CardData */

let cardCount = 0;
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
    state.set({ cards: [...state.value.cards, { id: cardCount, ...card }].slice(-4) });
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
      if (opened.guid === before?.guid) {
        state.set({ scene: opened });
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
    if (open === null) {
      return;
    }
    const { name, missing, spare, model } = open;
    for (const picture of spare) {
      addCard({
        kind: 'note', title: picture.name, path: null,
        text: missing.length > 0 ? 'No part asks for a picture of this name.' : 'Every part has its picture already, so this one is not used.',
        advice: missing.length > 0 ? 'Say whose it is, or rename it as the rig names it.' : 'To make a rig of it, drop it alone.',
        choices: missing.slice(0, 6).map(({ guid, parts }) => ({
          label: `Use for ${parts.slice(0, 2).join(', ')}${parts.length > 2 ? ' …' : ''}`,
          act: () => {
            state.set({ scene: workspace.usePicture(open, picture, guid), cards: [] });
            describe();
          },
        })),
      });
    }
    if (missing.length > 0 && spare.length === 0) {
      const wanted = missing.map(({ guid, parts }) => `${parts.join(', ')} (${model.assets.find((asset) => asset.guid === guid)?.path ?? guid})`);
      addCard({ kind: 'note', title: name, path: null, text: `No picture for ${wanted.join('; ')}.`, advice: 'Drop the missing pictures onto the page.', choices: [] });
    }
    if (model.parts.every(({ triangleCount }) => triangleCount === 0)) {
      addCard({
        kind: 'note', title: name, path: null, text: 'No part has a triangle, so there is nothing to draw.',
        advice: model.bones.length > 0 ? 'Its bones are there: B shows them.' : null, choices: [],
      });
    }
    const { warnings } = model;
    for (const { path, message } of warnings.slice(0, 2)) {
      addCard({ kind: 'note', title: name, path, text: message, advice: 'It was repaired while it was read.', choices: [] });
    }
    if (warnings.length > 2) {
      addCard({ kind: 'note', title: name, path: null, text: `${warnings.length - 2} more repairs.`, advice: `marrow check ${name} lists them.`, choices: [] });
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

    /**
     * @param {string} rig one of ours, or an address
     * @param {boolean} [keepsCards]
     */
    openRig: (rig, keepsCards) => open(rig, () => workspace.openUrl(rigAddress(rig), rig), keepsCards),

    /** @param {File[]} files */
    async openFiles(files) {
      if (files.length === 0) {
        return;
      }
      /** @type {FileError[]} */
      let problems = [];
      await open(files[0].name, async () => {
        const before = scene();
        const found = await readFiles(files);
        problems = found.problems;
        const opened = await workspace.openFiles(found, before);
        if (opened.guid !== before?.guid) {
          const rest = state.value.opened.filter(({ name }) => name !== opened.name);
          state.set({ opened: [{ name: opened.name, files }, ...rest].slice(0, 8) });
        }
        return opened;
      });
      problems.forEach(showError);
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

    /** @param {string} name */
    playClip(name) {
      const { fade, loop, speed } = state.value;
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
