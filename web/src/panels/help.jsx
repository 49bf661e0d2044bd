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
        <h3>Pointer</h3>
        <dl class="keys">
          {gestures.map(([how, does]) => <><dt><kbd>{how}</kbd></dt><dd>{does}</dd></>)}
        </dl>
        <h3>Keys</h3>
        <dl class="keys">
          {keys.map(({ keys: names, does }) => <><dt><kbd>{names}</kbd></dt><dd>{does}</dd></>)}
        </dl>
        <button type="button" class="icon close" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
    </dialog>
  );
}
