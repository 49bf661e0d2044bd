/** How much of the art the maps of the mesh cover. */
const cover = { heat: 0.86, category: 0.72 };

/** @param {string} hex rrggbb @param {number} alpha @returns {[number, number, number, number]} premultiplied, 0..1 */
function premultiplied(hex, alpha) {
  const value = parseInt(hex, 16);
  return [((value >> 16) / 255) * alpha, (((value >> 8) & 255) / 255) * alpha, ((value & 255) / 255) * alpha, alpha];
}

/** Weight to color: the legend in style.css shows the same. Colors are premultiplied, 0..1. */
export const heatStops = [
  { place: 0, color: premultiplied('000000', 0) },
  { place: 0.25, color: premultiplied('3b6fe0', cover.heat) },
  { place: 0.45, color: premultiplied('35c4d8', cover.heat) },
  { place: 0.7, color: premultiplied('f3d64a', cover.heat) },
  { place: 1, color: premultiplied('e0392b', cover.heat) },
];

/** Eight colors that stay apart for every kind of eye: those of Okabe and Ito, with a pale grey for their black. */
export const boneColors = ['e69f00', '56b4e9', '009e73', 'f0e442', '0072b2', 'd55e00', 'cc79a7', 'dfe3ea'].map((hex) => ({
  style: `#${hex}`,
  /** As the GPU takes it. */
  bytes: premultiplied(hex, 1).map((channel) => Math.round(channel * 255)),
}));

/** Lightness and two opponent colors of each, in which distances are what an eye sees: Oklab, after B. Ottosson (2020). */
const seen = boneColors.map(({ bytes }) => {
  const [r, g, b] = bytes.map((byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s];
});

/** Colors nearer than this are easily taken for each other where they meet. */
const clear = 0.22;

/**
 * A color for each of some things, those that touch clearly apart: in turn where that is clear, else the next that is, else the farthest.
 * @param {readonly ReadonlySet<number>[]} neighbors of each
 * @returns {number[]} indices of `boneColors`
 */
export function colorApart(neighbors) {
  /** @type {number[]} */
  const chosen = [];
  neighbors.forEach((touching, index) => {
    const taken = [...touching].flatMap((each) => chosen[each] ?? []);
    const distance = (/** @type {number} */ color) => Math.min(...taken.map((each) => Math.hypot(...seen[color].map((value, axis) => value - seen[each][axis]))));
    const turns = boneColors.map((_, step) => (index + step) % boneColors.length);
    chosen.push(turns.find((color) => distance(color) >= clear) ?? turns.reduce((best, color) => (distance(color) > distance(best) ? color : best)));
  });
  return chosen;
}

export const meshColors = { line: premultiplied('ff40b4', 0.85), cover: cover.category };

/** What bones and handles are drawn in. Dark edges make them read on any art. */
export const ink = {
  edge: 'rgb(12 14 18 / 85%)',
  bone: 'rgb(236 239 244 / 78%)',
  joint: '#f4f6f9',
  link: 'rgb(236 239 244 / 70%)',
  x: '#ff6b5e',
  y: '#5fd38d',
  free: '#f4f6f9',
  tag: 'rgb(20 22 26 / 92%)',
  tagText: '#f4f6f9',
};
