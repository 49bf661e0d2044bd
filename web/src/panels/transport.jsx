import { useEffect, useRef } from 'preact/hooks';
import { longestFade } from '../state.js';
import { Icon } from '../controls/icon.jsx';
import { NumberField } from '../controls/number.jsx';
import { useHero, usePage, useSelected } from './page.jsx';

const speeds = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

/** Play, loop, speed, the clip, the time, the fade. */
export function Transport() {
  const { actions } = usePage();
  const scene = useSelected((state) => state.scene);
  const loop = useSelected((state) => state.loop);
  const speed = useSelected((state) => state.speed);
  const fade = useSelected((state) => state.fade);
  const playing = useHero((hero) => hero.playing, false);
  const clip = useHero((hero) => hero.clip ?? '', '');
  const clips = scene?.model.clips ?? [];
  const duration = clips.find(({ name }) => name === clip)?.duration ?? 0;
  return (
    <footer aria-label="Playback">
      <button type="button" class="icon play" aria-label={playing ? 'Pause' : 'Play'} title={`${playing ? 'Pause' : 'Play'} (Space)`}
        disabled={clips.length === 0} onClick={actions.togglePlay}><Icon name={playing ? 'pause' : 'play'} /></button>
      <button type="button" class="icon" aria-label="Loop" aria-pressed={loop} title="Loop" onClick={() => actions.setLoop(!loop)}><Icon name="loop" /></button>
      <select class="mono" id="speed" aria-label="Speed" title="Speed" value={String(speed)} onChange={({ currentTarget }) => actions.setSpeed(Number(currentTarget.value))}>
        {[...new Set([...speeds, speed])].sort((a, b) => a - b).map((each) => <option key={each} value={String(each)}>{each}×</option>)}
      </select>
      <select id="clip" aria-label="Clip" title="Clip" value={clip} disabled={clips.length === 0} onChange={({ currentTarget }) => actions.playClip(currentTarget.value)}>
        {clips.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        {clip === '' && <option value="">no clip</option>}
      </select>
      <Scrubber key={`${scene?.guid} ${clip}`} scene={scene} duration={duration} />
      <label class="fade" title="Seconds that a change of clip takes">fade
        <NumberField name="fade" value={String(fade)} read={() => fade} least={0} most={longestFade} step={0.1} onValue={actions.setFade} /> s</label>
    </footer>
  );
}

/** @param {{ scene: import('../workspace.js').Scene | null, duration: number }} props */
function Scrubber({ scene, duration }) {
  const { actions, loop } = usePage();
  const range = useRef(/** @type {HTMLInputElement | null} */ (null));
  const output = useRef(/** @type {HTMLOutputElement | null} */ (null));
  // Written straight into the page: sixty times a second is too often to compare trees.
  useEffect(() => loop.listen(() => {
    if (scene === null || scene.hero.isDisposed || range.current === null || output.current === null) {
      return;
    }
    const { time } = scene.hero;
    const text = `${time.toFixed(2)} / ${duration.toFixed(2)} s`;
    if (output.current.textContent !== text) {
      output.current.textContent = text;
      range.current.valueAsNumber = time;
      range.current.style.setProperty('--share', String(duration > 0 ? Math.min(1, time / duration) : 0));
      range.current.ariaValueText = `${time.toFixed(2)} of ${duration.toFixed(2)} seconds`;
    }
  }), [scene, duration]);
  return (
    <>
      <input ref={range} id="time" type="range" min="0" max={duration} step="any" aria-label="Time" disabled={duration === 0}
        onInput={({ currentTarget }) => actions.seek(currentTarget.valueAsNumber)} />
      <output ref={output} id="clock" class="mono">0.00 / 0.00 s</output>
    </>
  );
}
