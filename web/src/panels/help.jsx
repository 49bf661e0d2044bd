import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls/icon.jsx';
import { usePage } from './page.jsx';

/** What the pointer does, in the words of the list of keys. */
const gestures = /** @type {const} */ ([
  ['Click', 'On the figure or a joint: select the bone'],
  ['Drag', 'A handle, or a joint to turn its bone; with Shift, move the joint'],
  ['Shift, drag', 'A handle: in steps of 15°, half a unit, a tenth of the size'],
  ['Esc, dragging', 'Take the drag back'],
  ['Drag beside', '2D: move the sheet. 2.5D and Ground: look from another side'],
  ['Right drag', '2.5D and Ground: move the view; with Ctrl, the left button does it too'],
  ['Wheel, pinch', 'Nearer, farther; two fingers also move the view'],
]);

/** What fingers do, where there is a screen for them. */
const touches = /** @type {const} */ ([
  ['Tap', 'On the figure or a joint: select the bone; beside it: select nothing'],
  ['Drag', 'A handle, or a joint to turn its bone'],
  ['Drag beside', '2D: move the sheet. 2.5D and Ground: look from another side'],
  ['Two fingers', 'Move the view; apart or together: nearer, farther'],
]);

/** @param {{ onClose: () => void }} props */
export function Help({ onClose }) {
  const { keys } = usePage();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={onClose} onClick={({ target, currentTarget }) => {
      if (target === currentTarget) {
        currentTarget.close();
      }
    }}>
      <div>
        <h2 id="help-title">Marrow bends characters</h2>
        <p>Drop a picture anywhere: it gets bones and starts to move. Drop a <code>.rig2d.json</code> with its pictures and <code>.anim.json</code> clips to see a rig.</p>
        {matchMedia('(any-pointer: coarse)').matches && <Lines title="Fingers" lines={touches} />}
        <Lines title="Pointer" lines={gestures} />
        <Lines title="Keys" lines={keys.map(({ keys: names, does }) => /** @type {const} */ ([names, does]))} />
        <button type="button" class="icon close" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
    </dialog>
  );
}

/** @param {{ title: string, lines: readonly (readonly [how: string, does: string])[] }} props */
function Lines({ title, lines }) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="keys">{lines.map(([how, does]) => <><dt><kbd>{how}</kbd></dt><dd>{does}</dd></>)}</dl>
    </>
  );
}
