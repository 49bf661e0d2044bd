import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { familyOf } from '../family.js';
import { Icon } from '../controls/icon.jsx';
import { usePage, useSelected } from './page.jsx';
import { useRows } from './rows.js';

/**
 * @typedef {object} Item a bone in the order the tree lists it
 * @property {number} slot
 * @property {string} name
 * @property {number} level from 1
 * @property {number} parent slot, -1 none
 * @property {boolean} hasChildren
 * @property {number} place from 1, among its brothers
 * @property {number} brothers how many they are, itself among them
 */

/**
 * Parents before their children, brothers in the order of the file.
 * @param {import('marrow2d').Model} model
 * @returns {Item[]}
 */
function listBones({ bones }) {
  const { roots, childrenOf } = familyOf(bones);
  /** @param {number[]} brothers @param {number} level @param {number} parent @returns {{ index: number, item: Item }[]} the last first */
  const rowsOf = (brothers, level, parent) => brothers.map((index, at) => ({
    index,
    item: {
      slot: bones[index].node, name: bones[index].name, level, parent, hasChildren: childrenOf[index].length > 0, place: at + 1, brothers: brothers.length,
    },
  })).reverse();
  /** @type {Item[]} */
  const items = [];
  const rest = rowsOf(roots, 1, -1);
  for (let row = rest.pop(); row !== undefined; row = rest.pop()) {
    items.push(row.item);
    rest.push(...rowsOf(childrenOf[row.index], row.item.level + 1, row.item.slot));
  }
  return items;
}

/**
 * Those that lie in no closed one.
 * @param {readonly Item[]} items
 * @param {ReadonlySet<number>} closed slots
 */
function shownOf(items, closed) {
  let hiddenBelow = Infinity;
  return items.filter(({ slot, level }) => {
    const isShown = level <= hiddenBelow;
    if (isShown) {
      hiddenBelow = closed.has(slot) ? level : Infinity;
    }
    return isShown;
  });
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

  const shown = useMemo(() => shownOf(items, closed), [items, closed]);
  const selectedRow = shown.findIndex(({ slot }) => slot === selected);
  const rows = useRows(list, shown.length, selectedRow);

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
    const at = selectedRow;
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
      <ul ref={list} class="tree" role="tree" aria-label="Bones" tabIndex={0} onKeyDown={move} onScroll={rows.onScroll}
        aria-activedescendant={selectedRow >= rows.first && selectedRow < rows.end ? `bone-${selected}` : undefined} onMouseLeave={() => actions.hover(null)}>
        {rows.above > 0 && <li key="above" role="none" style={{ height: `${rows.above}px` }} />}
        {shown.slice(rows.first, rows.end).map((item) => (
          <li key={item.slot} id={`bone-${item.slot}`} role="treeitem" aria-level={item.level} aria-setsize={item.brothers} aria-posinset={item.place}
            aria-selected={item.slot === selected}
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
        {rows.below > 0 && <li key="below" role="none" style={{ height: `${rows.below}px` }} />}
      </ul>
    </section>
  );
}
