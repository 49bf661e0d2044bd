// Offsets in the block that calls leave their answers in; see ../layout.js.
export const error = 0;
export const event = 408;
export const hit = 440;
export const bounds = 460;
export const number = 496;
export const words = 504;
export const text = 536;
export const size = 576;
