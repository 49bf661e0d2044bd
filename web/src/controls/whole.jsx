import { useState } from 'preact/hooks';

/**
 * A field for a whole number. What is being typed stays as it is typed, whatever happens meanwhile; outside the bounds the nearest counts.
 * @param {{ name: string, value: number, least: number, most: number, live?: boolean, id?: string, onValue: (value: number) => void }} props
 *   live: with every digit, not only once it is typed
 */
export function Whole({ name, id, value, least, most, live = false, onValue }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));

  /** @param {HTMLInputElement} input */
  function take({ valueAsNumber }) {
    if (Number.isFinite(valueAsNumber)) {
      onValue(Math.min(most, Math.max(least, Math.round(valueAsNumber))));
    }
  }

  return (
    <input class="mono" type="number" name={name} id={id} min={least} max={most} step="1" value={draft ?? String(value)}
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
  );
}
