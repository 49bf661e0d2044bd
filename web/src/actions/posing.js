/** @typedef {import('../state.js').AppState} AppState */

/** Milliseconds after which the same change of the same bone is another step to undo. */
const stepPause = 1000;

/**
 * Bones and parts by hand.
 * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
 * @param {import('../workspace.js').Workspace} workspace
 * @param {import('../pose.js').Poses} poses
 * @param {(error: unknown) => void} showError
 */
export function createPosing(state, workspace, poses, showError) {
  let posedAt = 0;
  const scene = () => state.value.scene;
  const hero = () => state.value.scene?.hero ?? null;

  /**
   * Poses a bone. Time stops, so that the hand does not fight the clip.
   * @param {number} slot
   * @param {Partial<import('../pose.js').Local>} fields
   * @param {boolean} [isHeld] by a hand that has not let go: however long it rests, all of it is one step
   */
  function pose(slot, fields, isHeld = false) {
    const posed = hero();
    if (posed !== null) {
      posed.pause();
      if (!isHeld && performance.now() - posedAt > stepPause) {
        poses.endStep();
      }
      posedAt = performance.now();
      poses.set(posed, slot, fields);
    }
  }

  /**
   * @param {number} index in draw order
   * @param {boolean} visible
   */
  function showPart(index, visible) {
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
  }

  return {
    pose,
    showPart,

    /** @param {number | null} bone slot */
    select: (bone) => state.set({ bone }),

    /** @param {number | null} hovered slot */
    hover(hovered) {
      if (hovered !== state.value.hovered) {
        state.set({ hovered });
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
      const { nudged, toLocalOf } = await import('../overlay/local-space.js');
      const { bone } = state.value;
      const open = scene();
      if (open !== null && bone !== null) {
        const noScale = open.model.bones.find(({ node }) => node === bone)?.noScale ?? false;
        pose(bone, nudged(poses.localOf(open.hero, bone), toLocalOf(open.hero.nodeAt(bone), noScale), dx, dy));
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
     * What a link says of bones and parts. Names that the rig does not have are passed over.
     * @param {import('../url.js').Wish} wish
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
          showPart(index, show.includes(name));
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
}
