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
