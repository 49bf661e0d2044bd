// Offsets in a crowd's state; see ../layout.js.
export const version = 0;
export const structureVersion = 4;
export const colorVersion = 8;
export const memberCount = 12;
export const vertexCount = 16;
export const indexCount = 20;
export const runCount = 24;
export const positions = 28;
export const uvs = 32;
export const colors = 36;
export const indices = 40;
export const runs = 44;
export const size = 48;
