export { RigView } from './pixi/rig-view.js';
export { CrowdView } from './pixi/crowd-view.js';
export { marrowLoader } from './pixi/loader.js';
