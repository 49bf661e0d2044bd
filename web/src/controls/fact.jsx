/**
 * A named figure.
 * @param {{ name: string, value: string | number | null | undefined }} props
 */
export function Fact({ name, value }) {
  return <><dt>{name}</dt><dd data-figure={name}>{value ?? '–'}</dd></>;
}

export function jsHeap() {
  const { memory } = /** @type {{ memory?: { usedJSHeapSize: number } }} */ (performance);
  return memory === undefined ? '–' : bytes(memory.usedJSHeapSize);
}

/** @param {number} value */
export function milliseconds(value) {
  return `${value.toFixed(2)} ms`;
}

/** @param {number} value */
export function bytes(value) {
  if (value < 1024) {
    return `${value} B`;
  }
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} kB` : `${(value / 1024 / 1024).toFixed(1)} MB`;
}
