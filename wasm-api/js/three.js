export { RigBillboard } from './three/rig-billboard.js';
export { orientRigs } from './three/orient.js';
export { RigLoader } from './three/loader.js';
