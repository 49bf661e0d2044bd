// Offsets in an error; see ../layout.js.
export const code = 0;
export const line = 4;
export const column = 8;
export const offset = 16;
export const path = 24;
export const message = 216;
export const size = 408;
