import { useId, useRef, useState } from 'preact/hooks';
import { RangeNote } from './range-note.jsx';

/**
 * A field for a number. What is being typed stays as it is typed, whatever happens meanwhile. What cannot be used is refused: the field
 * says so, and all is again as it was before something was typed.
 *
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.value as it is shown
 * @param {() => number} props.read the value to its last digit
 * @param {number} props.least
 * @param {number} props.most
 * @param {number} props.step of the arrow keys
 * @param {(value: number) => void} props.onValue
 */
export function NumberField({ name, value, read, least, most, step, onValue }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const [isWrong, setWrong] = useState(false);
  const before = useRef(0);
  const id = useId();

  /** @param {HTMLInputElement} input */
  function end(input) {
    if (isWrong) {
      onValue(before.current);
      // What is no number at all has no value that could differ.
      input.value = value;
    }
    setDraft(null);
    setWrong(false);
  }

  return (
    <span class="number">
      <input type="number" class="mono" name={name} min={least} max={most} step={step} value={draft ?? value}
        aria-invalid={isWrong} aria-describedby={isWrong ? id : undefined}
        onInput={({ currentTarget }) => {
          const { valueAsNumber, validity } = currentTarget;
          if (draft === null) {
            before.current = read();
          }
          setDraft(currentTarget.value);
          setWrong(validity.badInput || valueAsNumber < least || valueAsNumber > most);
          if (valueAsNumber >= least && valueAsNumber <= most) {
            onValue(valueAsNumber);
          }
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') {
            end(currentTarget);
          }
        }}
        onBlur={({ currentTarget }) => end(currentTarget)} />
      {isWrong && <RangeNote id={id} least={least} most={most} />}
    </span>
  );
}
