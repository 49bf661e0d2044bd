import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.jsx';
import { usePage } from './page.jsx';

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
        <p>Drop a picture anywhere: it gets bones and starts to move. Drop a <code>.rig2d.json</code> with its pictures and <code>.anim.json</code> clips to see a rig.
          Click the figure to select a bone; drag a joint to turn it, with Shift to move it.</p>
        <dl class="keys">
          {keys.map(({ keys: names, does }) => <><dt><kbd>{names}</kbd></dt><dd>{does}</dd></>)}
        </dl>
        <button type="button" class="icon close" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
    </dialog>
  );
}
