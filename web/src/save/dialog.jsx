import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls/icon.jsx';

/**
 * A dialog that is open as long as it is there. Escape, the cross and a press beside it ask to close it.
 * @param {{ title: string, onClose: () => void, children: import('preact').ComponentChildren }} props
 */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose} onPointerDown={({ target, currentTarget }) => {
      if (target === currentTarget) {
        currentTarget.close();
      }
    }}>
      <div>
        <h2>{title}</h2>
        {children}
        <button type="button" class="icon close" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
    </dialog>
  );
}
