import { useEffect, useRef, useState } from 'preact/hooks';
import { bytes } from '../controls/fact.jsx';
import { Whole } from '../controls/whole.jsx';
import { Dialog } from './dialog.jsx';
import { saveBlob } from './download.js';
import { Maker } from './maker.js';

/** @typedef {import('./make.js').Job} Job */

/** Those that a GIF can keep: it counts in hundredths of a second. */
const rates = [10, 20, 25, 50];
const limits = { longest: [16, 1024], columns: [1, 32], rows: [1, 32] };
const largestSheet = 8192;
/** Milliseconds without another change until the size is estimated. */
const estimatePause = 150;

/**
 * A loop as GIF, or a sheet of moments as PNG, drawn by the core.
 * @param {{ scene: import('../workspace.js').Scene, kind: 'gif' | 'sheet', name: string, onClose: () => void }} props
 */
export function AnimationDialog({ scene, kind, name, onClose }) {
  const [job, setWhole] = useState(/** @returns {Job} */ () => ({
    kind, clip: scene.hero.clip ?? scene.model.clips[0].name, longest: kind === 'gif' ? 320 : 192, rate: 25, columns: 6, rows: 2, background: 0,
  }));
  // On what is there by then: two changes may come before the dialog is drawn again.
  const setJob = (/** @type {Partial<Job>} */ patch) => setWhole((whole) => ({ ...whole, ...patch }));
  const [made, setMade] = useState(/** @type {{ done: number, total: number } | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const maker = useRef(/** @type {Maker | null} */ (null));
  maker.current ??= new Maker(scene);
  useEffect(() => () => maker.current?.cancel(), []);
  const plan = usePlan(maker.current, job, made === null, setProblem);
  const tooLarge = plan !== null && Math.max(plan.width, plan.height) > largestSheet;

  async function save() {
    setProblem(null);
    setMade({ done: 0, total: plan?.frames ?? 1 });
    try {
      const file = await /** @type {Maker} */ (maker.current).make(job, (done, total) => setMade({ done, total }));
      saveBlob(new Blob([/** @type {BlobPart} */ (file)], { type: kind === 'gif' ? 'image/gif' : 'image/png' }), `${name}-${job.clip}.${kind === 'gif' ? 'gif' : 'png'}`);
      onClose();
    } catch (error) {
      setMade(null);
      if (!(error instanceof DOMException && error.name === 'AbortError')) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
    }
  }

  return (
    <Dialog title={kind === 'gif' ? 'Save a loop (GIF)' : 'Save a sheet of moments (PNG)'} onClose={onClose}>
      <form class="animation" onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}>
        <fieldset disabled={made !== null}>
          <label>Clip<select name="clip" value={job.clip} onChange={({ currentTarget }) => setJob({ clip: currentTarget.value })}>
            {scene.model.clips.map((clip) => <option key={clip.name} value={clip.name}>{clip.name}</option>)}
          </select></label>
          <Field name="longest" label={kind === 'gif' ? 'Longer side' : 'Longer side of a cell'} unit="px" job={job} onChange={setJob} />
          {kind === 'gif'
            ? <label>Frames a second<select name="rate" class="mono" value={String(job.rate)} onChange={({ currentTarget }) => setJob({ rate: Number(currentTarget.value) })}>
              {rates.map((rate) => <option key={rate} value={String(rate)}>{rate}</option>)}
            </select></label>
            : <><Field name="columns" label="Columns" job={job} onChange={setJob} /><Field name="rows" label="Rows" job={job} onChange={setJob} /></>}
          <Background value={job.background} onChange={(background) => setJob({ background })} />
        </fieldset>
        <Preview plan={plan} />
        <p id="estimate" class="mono" aria-live="polite">{plan === null ? '…'
          : `${plan.width} × ${plan.height} px, ${plan.frames} frame${plan.frames === 1 ? '' : 's'}, about ${bytes(plan.bytes)}`}</p>
        <p class="muted">Drawn by the core, as <code>marrow render --{kind}</code> does it: the clip as it is in its file.
          {kind === 'gif' && ' A GIF knows no half-transparent edges: with a colour behind, they are smooth.'}</p>
        {tooLarge && <p class="problem">More than {largestSheet} pixels on a side: take smaller cells, or fewer.</p>}
        {problem !== null && <p role="alert" class="problem">{problem}</p>}
        {made === null
          ? <div class="row end"><button type="button" onClick={onClose}>Cancel</button><button type="submit" class="main" disabled={plan === null || tooLarge}>Save</button></div>
          : <div class="row end"><progress value={made.done} max={made.total} aria-label="Drawing" /><button type="button" onClick={() => maker.current?.cancel()}>Stop</button></div>}
      </form>
    </Dialog>
  );
}

/**
 * What the job would give, a moment after it was changed last.
 * @param {Maker} maker
 * @param {Job} job
 * @param {boolean} active
 * @param {(problem: string | null) => void} onProblem
 */
function usePlan(maker, job, active, onProblem) {
  const [plan, setPlan] = useState(/** @type {import('./make.js').Plan | null} */ (null));
  useEffect(() => {
    if (!active) {
      return undefined;
    }
    let current = true;
    const timer = setTimeout(() => {
      maker.plan(job).then((next) => {
        if (current) {
          setPlan(next);
          onProblem(null);
        }
      }, (error) => {
        if (current && error.name !== 'AbortError') {
          onProblem(error.message);
        }
      });
    }, estimatePause);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [job, active]);
  return plan;
}

/** @param {{ name: keyof typeof limits, label: string, unit?: string, job: Job, onChange: (patch: Partial<Job>) => void }} props */
function Field({ name, label, unit, job, onChange }) {
  const [least, most] = limits[name];
  return (
    <label>{label}<span><Whole name={name} value={job[name]} least={least} most={most} live onValue={(value) => onChange({ [name]: value })} />{unit}</span></label>
  );
}

/** @param {{ value: number, onChange: (value: number) => void }} props */
function Background({ value, onChange }) {
  const [color, setColor] = useState('#ffffff');
  const opaque = (/** @type {string} */ hex) => parseInt(`${hex.slice(1)}ff`, 16);
  return (
    <label>Background<span>
      <input type="checkbox" name="background" checked={value !== 0} aria-label="A colour behind" onChange={({ currentTarget }) => onChange(currentTarget.checked ? opaque(color) : 0)} />
      <input type="color" name="color" value={color} disabled={value === 0} aria-label="Colour" onInput={({ currentTarget }) => {
        setColor(currentTarget.value);
        onChange(opaque(currentTarget.value));
      }} />
    </span></label>
  );
}

/** @param {{ plan: import('./make.js').Plan | null }} props */
function Preview({ plan }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useEffect(() => {
    if (plan !== null && canvas.current !== null) {
      const { width, height, data } = plan.sample;
      Object.assign(canvas.current, { width, height });
      canvas.current.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
    }
  }, [plan]);
  return <div class="preview"><canvas ref={canvas} width="1" height="1" role="img" aria-label="One frame of it" /></div>;
}
