// Offsets in the block that calls leave their answers in; see ../layout.js.
export const error = 0;
export const event = 408;
export const hit = 432;
export const bounds = 452;
export const number = 488;
export const words = 496;
export const text = 528;
export const size = 568;
