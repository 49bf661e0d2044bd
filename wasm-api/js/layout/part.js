// Offsets in a part of an instance; see ../layout.js.
export const firstVertex = 0;
export const vertexCount = 4;
export const firstIndex = 8;
export const indexCount = 12;
export const page = 16;
export const sprite = 20;
export const visible = 24;
export const color = 28;
export const opacity = 32;
export const order = 36;
export const fileIndex = 40;
export const vertexMap = 44;
export const size = 48;
