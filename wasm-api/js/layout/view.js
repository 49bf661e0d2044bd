// Offsets in what an instance shows beside its model; see ../layout.js.
export const color = 0;
export const opacity = 4;
export const flipX = 8;
export const flipY = 12;
export const visible = 16;
export const mode = 20;
export const anchor = 24;
export const alphaTest = 28;
export const pixelsPerUnit = 32;
export const size = 36;
