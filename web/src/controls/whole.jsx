import { useId, useState } from 'preact/hooks';
import { RangeNote } from './range-note.jsx';

/**
 * A field for a whole number. What is being typed stays as it is typed, whatever happens meanwhile; outside the bounds the nearest counts, and
 * the field says which there are.
 * @param {{ name: string, value: number, least: number, most: number, live?: boolean, id?: string, onValue: (value: number) => void }} props
 *   live: with every digit, not only once it is typed
 */
export function Whole({ name, id, value, least, most, live = false, onValue }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const noteId = useId();
  const isOutside = draft !== null && !(Number(draft) >= least && Number(draft) <= most);

  /** @param {HTMLInputElement} input */
  function take({ valueAsNumber }) {
    if (Number.isFinite(valueAsNumber)) {
      onValue(Math.min(most, Math.max(least, Math.round(valueAsNumber))));
    }
  }

  return (
    <span class="number">
      <input class="mono" type="number" name={name} id={id} min={least} max={most} step="1" value={draft ?? String(value)}
        aria-invalid={isOutside} aria-describedby={isOutside ? noteId : undefined}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value);
          if (live) {
            take(currentTarget);
          }
        }}
        onChange={({ currentTarget }) => {
          take(currentTarget);
          setDraft(null);
        }}
        onBlur={() => setDraft(null)} />
      {isOutside && <RangeNote id={noteId} least={least} most={most} />}
    </span>
  );
}
