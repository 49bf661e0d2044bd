import { facings } from '../state.js';
import { usePage, useSelected } from './page.jsx';

/** Overlays: what they are called, and their keys. */
const overlays = /** @type {const} */ ([
  ['bones', 'Bones', 'B'],
  ['wireframe', 'Wireframe', 'W'],
  ['weights', 'Weights of the bone', 'H'],
  ['dominant', 'Strongest bones', 'D'],
  ['bounds', 'Bounds', 'X'],
]);
const facingNames = { cylindrical: 'Cylindrical', spherical: 'Spherical' };

/** What is drawn over the figure, and how the stage is set. */
export function View() {
  const { actions } = usePage();
  const overlay = useSelected((state) => state.overlay);
  const stage = useSelected((state) => state.stage);
  const bone = useSelected((state) => state.bone);
  return (
    <section>
      <h2>View</h2>
      <ul class="checks">
        {overlays.map(([name, label, key]) => (
          <li key={name}>
            <label><input type="checkbox" name={name} checked={overlay.includes(name)} onChange={() => actions.toggleOverlay(name)} />
              <span class="name">{label}</span><kbd>{key}</kbd></label>
          </li>
        ))}
      </ul>
      {overlay.includes('weights') && (bone === null
        ? <p class="muted">Select a bone to see what it moves.</p>
        : <div class="legend" aria-label="Weight from 0 to 1"><span>0</span><i /><span>1</span></div>)}
      {stage === '2d' && <Backdrop />}
      {stage === '2.5d' && <Facing />}
      {stage === 'ground' && <Heading />}
    </section>
  );
}

function Backdrop() {
  const { actions } = usePage();
  const backdrop = useSelected((state) => state.backdrop);
  return (
    <label class="check"><input type="checkbox" name="checker" checked={backdrop === 'checker'}
      onChange={({ currentTarget }) => actions.set({ backdrop: currentTarget.checked ? 'checker' : 'plain' })} />
      <span class="name">Checkered background</span></label>
  );
}

function Facing() {
  const { actions } = usePage();
  const facing = useSelected((state) => state.facing);
  return (
    <div class="segments wide" role="radiogroup" aria-label="How figures face the camera">
      {facings.map((name) => (
        <label key={name}><input type="radio" name="facing" value={name} checked={facing === name} onChange={() => actions.set({ facing: name })} />
          <span>{facingNames[name]}</span></label>
      ))}
    </div>
  );
}

function Heading() {
  const { actions } = usePage();
  const heading = useSelected((state) => state.heading);
  return (
    <label class="slider">Heading<input type="range" name="heading" min="-180" max="180" step="1" value={heading}
      onInput={({ currentTarget }) => actions.set({ heading: currentTarget.valueAsNumber })} /><output class="mono">{heading}°</output></label>
  );
}
