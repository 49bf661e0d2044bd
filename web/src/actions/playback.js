/** @typedef {import('../state.js').AppState} AppState */

/**
 * Playing the clips of what is open.
 * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
 */
export function createPlayback(state) {
  const hero = () => state.value.scene?.hero ?? null;

  return {
    togglePlay() {
      const { scene: open } = state.value;
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
      const { scene: open } = state.value;
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
  };
}
