// Offsets in a hit; see ../layout.js.
export const part = 0;
export const triangle = 4;
export const u = 8;
export const v = 12;
export const alpha = 16;
export const size = 20;
