import { useState } from 'preact/hooks';
import { Icon } from '../controls/icon.jsx';
import { useHero, usePage, useSelected } from './page.jsx';

/** The parts as they lie over each other, the foremost first: which are seen, and in which order. */
export function Parts() {
  const { actions } = usePage();
  const scene = useSelected((state) => state.scene);
  const [dragged, setDragged] = useState(/** @type {number | null} */ (null));
  const [target, setTarget] = useState(/** @type {number | null} */ (null));
  const visible = useHero((hero) => hero.parts.map((part) => (part.visible ? '1' : '0')).join(''), '');
  const parts = scene === null ? [] : scene.model.parts.map(({ name }, index) => ({ name, index })).reverse();
  const canMove = parts.length > 1;

  return (
    <section>
      <h2>Parts<small>{parts.length}</small></h2>
      {scene !== null && parts.length === 0 && <p class="muted">This rig has no parts.</p>}
      <ul class="parts" aria-label="Parts, the foremost first">
        {parts.map(({ name, index }) => (
          <li key={index} draggable={canMove} data-target={target === index && dragged !== index ? '' : undefined}
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => {
              if (dragged !== null) {
                event.preventDefault();
                event.stopPropagation();
                setTarget(index);
              }
            }}
            onDrop={(event) => {
              event.preventDefault();
              event.stopPropagation();
              if (dragged !== null) {
                actions.movePart(dragged, index);
              }
            }}
            onDragEnd={() => {
              setDragged(null);
              setTarget(null);
            }}>
            <label><input type="checkbox" checked={visible[index] === '1'} onChange={({ currentTarget }) => actions.showPart(index, currentTarget.checked)} />
              <span class="name">{name}</span></label>
            {canMove && (
              <button type="button" class="grip" aria-label={`Order of ${name}: up or down arrow`} title="Drag, or press ↑ ↓" onKeyDown={(event) => {
                const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
                if (step !== 0) {
                  event.preventDefault();
                  actions.movePart(index, index + step);
                  const row = event.currentTarget.closest('li');
                  const next = step > 0 ? row?.previousElementSibling : row?.nextElementSibling;
                  /** @type {HTMLElement | null | undefined} */ (next?.querySelector('.grip'))?.focus();
                }
              }}><Icon name="grip" /></button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
