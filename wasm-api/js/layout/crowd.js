// Offsets in a crowd's state; see ../layout.js.
export const version = 0;
export const structureVersion = 4;
export const colorVersion = 8;
export const uvVersion = 12;
export const memberCount = 16;
export const vertexCount = 20;
export const indexCount = 24;
export const runCount = 28;
export const positions = 32;
export const uvs = 36;
export const colors = 40;
export const indices = 44;
export const runs = 48;
export const size = 52;
