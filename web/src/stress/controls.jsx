import { characterNames, characters } from '../url.js';
import { Icon } from '../controls/icon.jsx';
import { Whole } from '../controls/whole.jsx';
import { allClips, clampCount, mostCharacters, ways } from './address.js';

const wayNames = { crowd: 'One crowd', views: 'Single views' };
const advice = {
  crowd: 'A crowd is one mesh for all who share a picture. It is what we recommend for many: the core writes every vertex where it is drawn, and the renderer draws once.',
  views: 'A view each is a container of its own, to be placed among other things. For dozens that is fine; for hundreds take one crowd.',
};

/** @param {{ value: import('./stress.jsx').StressState, set: (patch: Partial<import('./address.js').Stress>) => void }} props */
export function Controls({ value, set }) {
  const { rig, n, as, clip, play, clips, problems } = value;
  return (
    <section class="controls">
      <label class="field">Character
        <select id="rig" value={rig} onChange={({ currentTarget }) => set({ rig: currentTarget.value })}>
          {characters.map((name, index) => <option key={name} value={name}>{characterNames[index]}</option>)}
        </select>
      </label>
      <label class="field">Clip
        <select id="clip" value={clip} disabled={clips.length === 0} onChange={({ currentTarget }) => set({ clip: currentTarget.value })}>
          <option value={allClips}>all of them</option>
          {clips.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      <div class="count">
        <label for="count">How many</label>
        <input id="count-slider" type="range" aria-label="How many characters" min="0" max="1" step="0.001" value={shareOf(n)} style={{ '--share': shareOf(n) }}
          onInput={({ currentTarget }) => set({ n: countOf(currentTarget.valueAsNumber) })} />
        <Whole name="count" id="count" value={n} least={1} most={mostCharacters} onValue={(count) => set({ n: count })} />
      </div>
      <div class="segments wide" role="radiogroup" aria-label="How they are drawn">
        {ways.map((way) => (
          <label key={way}><input type="radio" name="as" value={way} checked={as === way} onChange={() => set({ as: way })} /><span>{wayNames[way]}</span></label>
        ))}
      </div>
      <p class="muted">{advice[as]}</p>
      <div class="row">
        <button type="button" id="play" onClick={() => set({ play: !play })}><Icon name={play ? 'pause' : 'play'} />{play ? 'Pause' : 'Play'}</button>
      </div>
      {problems.length > 0 && <div role="alert" class="problem">{problems.map((each) => <p key={each}>{each}</p>)}</div>}
    </section>
  );
}

/** Square roots: the slider has as much room for few as for many. @param {number} count */
function shareOf(count) {
  return Math.sqrt((count - 1) / (mostCharacters - 1));
}

/** @param {number} share */
function countOf(share) {
  const count = 1 + share * share * (mostCharacters - 1);
  return clampCount(count < 20 ? count : count < 200 ? Math.round(count / 5) * 5 : Math.round(count / 50) * 50);
}
