/**
 * Says below a field what it takes.
 * @param {{ id: string, least: number, most: number }} props
 */
export function RangeNote({ id, least, most }) {
  return <small id={id} role="alert">From {readable(least)} to {readable(most)}</small>;
}

/** @param {number} value */
function readable(value) {
  return value.toLocaleString('en').replace('-', '−');
}
