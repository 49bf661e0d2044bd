// Offsets in a frame on an atlas page; see ../layout.js.
export const page = 0;
export const pageWidth = 4;
export const pageHeight = 8;
export const x = 12;
export const y = 16;
export const width = 20;
export const height = 24;
export const rotated = 28;
export const trimX = 32;
export const trimY = 36;
export const sourceWidth = 40;
export const sourceHeight = 44;
export const size = 48;
