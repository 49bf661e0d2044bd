// The rows as a table for people, as CSV, and as the page in docs/.

/** @typedef {import('./cases.mjs').Row} Row */

/** @param {Row} row */
function isMet({ bound, ratio, target }) {
  if (target === undefined) return '';
  return (bound === 'most' ? ratio <= target : ratio >= target) ? 'met' : 'not met';
}

/** @param {number} number */
function round(number) {
  if (Number.isNaN(number)) return '';
  return number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

/** @param {Row} row @param {number | undefined} limit */
function format(row, limit) {
  if (limit === undefined) return '';
  const isPlain = row.ratio === row.ours;
  return `${row.bound === 'most' ? '<=' : '>='} ${limit}${isPlain ? ` ${row.unit}` : 'x'}`;
}

const HEADINGS = ['case', 'against', 'ours', 'theirs', 'unit', 'ratio', '(repeats)', 'target', 'stretch', 'result'];

/** @param {Row} row */
function cells(row) {
  const isPlain = row.ratio === row.ours;
  return [
    row.name, row.against, round(row.ours), round(row.theirs), row.unit, isPlain ? '' : `${round(row.ratio)}x`,
    row.spread.map(round).join(' .. '), format(row, row.target), format(row, row.stretch), isMet(row),
  ];
}

/** @param {Row[]} rows */
export function toTable(rows) {
  const lines = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i])).join('  ').trimEnd()).join('\n');
}

/** @param {Row[]} rows */
export function toCsv(rows) {
  const quote = (/** @type {string} */ text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const header = 'case,against,unit,ours,theirs,ratio,ratio_least,ratio_most,target,stretch,result';
  const lines = rows.map((row) => [
    row.name, row.against, row.unit, ...[row.ours, row.theirs, row.ratio, ...row.spread].map((n) => (Number.isNaN(n) ? '' : n.toPrecision(5))),
    format(row, row.target), format(row, row.stretch), isMet(row),
  ].map(quote).join(','));
  return `${[header, ...lines].join('\n')}\n`;
}

/** @param {Row[]} rows */
export function toMarkdownTable(rows) {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...rows.map(cells)];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
