// Offsets in an event; see ../layout.js.
export const kind = 0;
export const clip = 4;
export const event = 8;
export const layer = 12;
export const time = 16;
export const count = 24;
export const size = 32;
