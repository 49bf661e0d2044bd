// Offsets in a world's state; see ../layout.js.
export const changedCount = 0;
export const changed = 4;
export const verticesWritten = 8;
export const instancesSkinned = 12;
export const nodesChanged = 16;
export const instanceCount = 20;
export const time = 24;
export const size = 32;
