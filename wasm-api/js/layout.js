/**
 * Offsets, in bytes, of the structs that JavaScript reads or writes in linear memory (`size`: of the whole struct). The asserts in
 * layout.c hold the same numbers against the C declarations. They are modules: a bundler puts the numbers in place of their names, which it
 * cannot do for the members of an object.
 */
export * as INSTANCE from './layout/instance.js';
export * as EXCHANGE from './layout/exchange.js';
export * as FRAME from './layout/frame.js';
export * as VIEW from './layout/view.js';
export * as PART from './layout/part.js';
export * as CROWD from './layout/crowd.js';
export * as RUN from './layout/run.js';
export * as ERROR from './layout/error.js';
export * as EVENT from './layout/event.js';
export * as HIT from './layout/hit.js';
export * as BOUNDS from './layout/bounds.js';
export * as WORLD from './layout/world.js';
