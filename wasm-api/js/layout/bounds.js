// Offsets in bounds; see ../layout.js.
export const minX = 0;
export const minY = 4;
export const maxX = 8;
export const maxY = 12;
export const centerX = 16;
export const centerY = 20;
export const radius = 24;
export const empty = 28;
export const size = 32;
