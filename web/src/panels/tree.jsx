import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.jsx';
import { usePage, useSelected } from './page.jsx';

/**
 * @typedef {object} Item a bone in the order the tree lists it
 * @property {number} slot
 * @property {string} name
 * @property {number} level from 1
 * @property {number} parent slot, -1 none
 * @property {boolean} hasChildren
 */

/**
 * Parents before their children, brothers in the order of the file.
 * @param {import('marrow2d').Model} model
 * @returns {Item[]}
 */
function listBones({ bones }) {
  /** @type {Item[]} */
  const items = [];
  const seen = new Set();
  const childrenOf = (/** @type {number} */ parent) => bones.flatMap((bone, index) => (bone.parent === parent && index !== parent ? [index] : []));
  /** @param {number} index @param {number} level @param {number} parent */
  function add(index, level, parent) {
    if (seen.has(index)) {
      return;
    }
    seen.add(index);
    const children = childrenOf(index);
    items.push({ slot: bones[index].node, name: bones[index].name, level, parent, hasChildren: children.length > 0 });
    children.forEach((child) => add(child, level + 1, bones[index].node));
  }
  bones.forEach(({ parent }, index) => {
    if (bones[parent] === undefined) {
      add(index, 1, -1);
    }
  });
  // What is left goes round in a circle: the reader has cut it somewhere, and this is as good a place as any.
  bones.forEach((_, index) => add(index, 1, -1));
  return items;
}

/** Deeper levels are not set in any farther: their names would leave the panel. */
const deepest = 12;

/** The bones as a tree. It has one tab stop; arrow keys move the selection. */
export function BoneTree() {
  const { actions } = usePage();
  const scene = useSelected((state) => state.scene);
  const selected = useSelected((state) => state.bone);
  const hovered = useSelected((state) => state.hovered);
  const [closed, setClosed] = useState(/** @type {ReadonlySet<number>} */ (new Set()));
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const items = useMemo(() => (scene === null ? [] : listBones(scene.model)), [scene?.model]);
  useEffect(() => setClosed(new Set()), [scene?.guid]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  const bySlot = new Map(items.map((item) => [item.slot, item]));
  const isShown = (/** @type {Item} */ { parent }) => {
    for (let up = bySlot.get(parent); up !== undefined; up = bySlot.get(up.parent)) {
      if (closed.has(up.slot)) {
        return false;
      }
    }
    return true;
  };
  const shown = items.filter(isShown);

  /** @param {Item} item @param {boolean} open */
  function fold(item, open) {
    const next = new Set(closed);
    if (open) {
      next.delete(item.slot);
    } else {
      next.add(item.slot);
    }
    setClosed(next);
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const at = shown.findIndex(({ slot }) => slot === selected);
    const item = shown[at];
    /** @type {number | undefined} */
    let next;
    if (event.key === 'ArrowDown') {
      next = shown[Math.min(at + 1, shown.length - 1)]?.slot;
    } else if (event.key === 'ArrowUp') {
      next = shown[Math.max(at - 1, 0)]?.slot;
    } else if (event.key === 'Home') {
      next = shown[0]?.slot;
    } else if (event.key === 'End') {
      next = shown.at(-1)?.slot;
    } else if (event.key === 'ArrowLeft' && item) {
      if (item.hasChildren && !closed.has(item.slot)) {
        fold(item, false);
      } else if (item.parent >= 0) {
        next = item.parent;
      }
    } else if (event.key === 'ArrowRight' && item?.hasChildren) {
      if (closed.has(item.slot)) {
        fold(item, true);
      } else {
        next = shown[at + 1]?.slot;
      }
    } else {
      return;
    }
    event.preventDefault();
    if (next !== undefined) {
      actions.select(next);
    }
  }

  return (
    <section>
      <h2>Bones<small>{items.length}</small></h2>
      {scene !== null && items.length === 0 && <p class="muted">This rig has no bones.</p>}
      <ul ref={list} class="tree" role="tree" aria-label="Bones" tabIndex={0} onKeyDown={move}
        aria-activedescendant={selected === null ? undefined : `bone-${selected}`} onMouseLeave={() => actions.hover(null)}>
        {shown.map((item) => (
          <li key={item.slot} id={`bone-${item.slot}`} role="treeitem" aria-level={item.level} aria-selected={item.slot === selected}
            aria-expanded={item.hasChildren ? !closed.has(item.slot) : undefined} data-hovered={item.slot === hovered ? '' : undefined}
            style={{ paddingLeft: `${4 + Math.min(item.level - 1, deepest) * 10}px` }}
            onClick={() => actions.select(item.slot)} onMouseEnter={() => actions.hover(item.slot)}>
            <span class="fold" onClick={(event) => {
              if (item.hasChildren) {
                event.stopPropagation();
                fold(item, closed.has(item.slot));
              }
            }}>{item.hasChildren && <Icon name={closed.has(item.slot) ? 'right' : 'down'} />}</span>
            <span class="name">{item.name}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
