import { limits } from '../pose.js';
import { tools } from '../state.js';
import { Icon } from '../controls/icon.jsx';
import { NumberField } from '../controls/number.jsx';
import { useHero, usePage, useSelected } from './page.jsx';

const degrees = 180 / Math.PI;

/** The fields of a bone: name, what it is, digits, what one unit in memory is on screen, step of the arrow keys. */
const fields = /** @type {const} */ ([
  ['x', 'X', 1, 1, 1],
  ['y', 'Y', 1, 1, 1],
  ['rotation', 'Rotation', 1, degrees, 1],
  ['scaleX', 'Scale X', 3, 1, 0.05],
  ['scaleY', 'Scale Y', 3, 1, 0.05],
]);

const toolNames = { move: 'Move (M)', turn: 'Turn (T)', scale: 'Scale (S)' };

/** The selected bone: where it is below its parent, as numbers that can be typed, and the tools that move it on the stage. */
export function Selection() {
  const { actions } = usePage();
  const scene = useSelected((state) => state.scene);
  const bone = useSelected((state) => state.bone);
  const tool = useSelected((state) => state.tool);
  const axes = useSelected((state) => state.axes);
  if (scene === null || bone === null) {
    return (
      <section>
        <h2>Selection</h2>
        <p class="muted">Click a bone in the tree, or the figure itself. Then drag the handles on the stage.</p>
        <div class="row"><button type="button" onClick={actions.resetPose}><Icon name="reset" />Reset pose</button></div>
      </section>
    );
  }
  return (
    <section>
      <h2 class="mono" id="selected-bone">{scene.hero.nodeAt(bone).name}</h2>
      <div class="row">
        <div class="segments" role="radiogroup" aria-label="Gizmo">
          {tools.map((name) => (
            <label key={name} title={toolNames[name]}>
              <input type="radio" name="tool" value={name} checked={tool === name} aria-label={toolNames[name]} onChange={() => actions.set({ tool: name })} />
              <span><Icon name={name} /></span>
            </label>
          ))}
        </div>
        <button type="button" aria-pressed={axes === 'world'} title="Axes of the gizmo: along the bone, or along the sheet (L)" onClick={actions.toggleAxes}>
          {axes === 'local' ? 'Local' : 'World'}
        </button>
      </div>
      <div class="fields">
        {fields.map(([field, label, digits, factor, step]) => (
          <Field key={`${scene.guid} ${bone} ${field}`} bone={bone} field={field} label={label} digits={digits} factor={factor} step={step} />
        ))}
      </div>
      <div class="row">
        <button type="button" title="Reset the bone (R)" onClick={actions.resetBone}><Icon name="reset" />Bone</button>
        <button type="button" title="Reset the whole pose (Shift R)" onClick={actions.resetPose}><Icon name="reset" />Pose</button>
      </div>
    </section>
  );
}

/**
 * @param {object} props
 * @param {number} props.bone
 * @param {keyof import('../pose.js').Local} props.field
 * @param {string} props.label
 * @param {number} props.digits
 * @param {number} props.factor from memory to what is read
 * @param {number} props.step
 */
function Field({ bone, field, label, digits, factor, step }) {
  const { actions } = usePage();
  const most = Math.round(limits[field] * factor);
  const value = useHero((hero) => (hero.nodeAt(bone).local[field] * factor).toFixed(digits), '', [bone]);
  return (
    <label>{label}{field === 'rotation' ? ' °' : ''}
      <NumberField name={field} value={value} read={() => (actions.localOf(bone)?.[field] ?? 0) * factor} least={-most} most={most} step={step} onValue={(typed) => actions.pose(bone, { [field]: typed / factor })} />
    </label>
  );
}
