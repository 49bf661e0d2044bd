import { useEffect, useState } from 'preact/hooks';

/** Lists that are no longer than this are drawn whole. */
const few = 300;
const usualHeight = 24;

/**
 * Which rows of a long list of equal rows are drawn: those in sight and some around them, since a browser takes seconds for thousands.
 * @param {{ current: HTMLElement | null }} list scrolls
 * @param {number} count
 * @param {number} wanted index of a row that comes into sight when it changes, -1 none
 * @returns {{ first: number, end: number, above: number, below: number, onScroll: () => void }} above, below: pixels in place of the others
 */
export function useRows(list, count, wanted) {
  const [top, setTop] = useState(0);
  const [rowHeight, setRowHeight] = useState(usualHeight);
  const isLong = count > few;
  useEffect(() => {
    const element = list.current;
    const row = /** @type {HTMLElement | null | undefined} */ (element?.querySelector('li:not([role="none"])'));
    if (element && row && isLong) {
      setRowHeight(row.offsetHeight || usualHeight);
    }
  }, [isLong]);
  useEffect(() => {
    const element = list.current;
    if (element === null || wanted < 0 || !isLong) {
      return;
    }
    const [from, to] = [wanted * rowHeight, (wanted + 1) * rowHeight];
    if (from < element.scrollTop) {
      element.scrollTop = from;
    } else if (to > element.scrollTop + element.clientHeight) {
      element.scrollTop = to - element.clientHeight;
    }
    setTop(element.scrollTop);
  }, [wanted, isLong]);
  if (!isLong) {
    return { first: 0, end: count, above: 0, below: 0, onScroll: () => undefined };
  }
  const screen = Math.ceil(innerHeight / rowHeight);
  const at = Math.floor(top / rowHeight);
  const first = Math.max(0, Math.min(at, count) - screen);
  const end = Math.min(count, at + 2 * screen);
  return { first, end, above: first * rowHeight, below: (count - end) * rowHeight, onScroll: () => setTop(list.current?.scrollTop ?? 0) };
}
