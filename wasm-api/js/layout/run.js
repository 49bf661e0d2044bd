// Offsets in a run; see ../layout.js.
export const page = 0;
export const blend = 4;
export const firstIndex = 8;
export const indexCount = 12;
export const firstVertex = 16;
export const vertexCount = 20;
export const color = 24;
export const opacity = 28;
export const firstPart = 32;
export const partCount = 36;
export const size = 40;
