// Follow-through: bones on damped springs, swung by the motion of their joints. Tails, ears and scarves move late because of it.
import { transform } from './skeleton.mjs';

/**
 * @typedef {object} Follower
 * @property {string} bone
 * @property {number} frequency of the spring that holds it, in Hz
 * @property {number} damping of the spring; 1 does not swing
 * @property {[number, number]} arm from the joint to the bone's weight, in the bind pose
 * @property {number} [gain] how strongly the joint's acceleration swings it, usually 1
 * @property {number} [wind] turn that moving air adds
 */

/** Steps of the simulation a sample. */
const SUBSTEPS = 2;
/** Rounds before the one that is kept: what a loop begins with has died away by then. */
const ROUNDS = 7;

/**
 * @param {import('./clip.mjs').Clip} clip with everything else in place
 * @param {Follower[]} followers parents before children
 * @param {number} rate samples a second
 */
export function follow(clip, followers, rate) {
  const count = Math.round(clip.duration * rate);
  const steps = count * SUBSTEPS;
  const dt = clip.duration / steps;
  for (const follower of followers) {
    const bone = clip.skeleton.bones[clip.skeleton.indexOf(follower.bone)];
    const parent = clip.skeleton.bones[bone.parent].name;
    const joints = [];
    const turns = [];
    for (let i = 0; i <= count; i++) {
      const above = /** @type {import('./skeleton.mjs').Affine} */ (clip.pose((i * clip.duration) / count).get(parent));
      joints.push(transform(above, bone.x, bone.y));
      turns.push(Math.atan2(above[1], above[0]));
    }
    const samples = swing(clip, follower, { joints, turns, count, dt });
    clip.motion(follower.bone, 'rz', (t) => samples[Math.round((t / clip.duration) * count)]);
  }
}

/**
 * @param {import('./clip.mjs').Clip} clip
 * @param {Follower} follower
 * @param {{ joints: [number, number][], turns: number[], count: number, dt: number }} carrier
 */
function swing(clip, { bone, frequency, damping, arm, gain = 1, wind = 0 }, { joints, turns, count, dt }) {
  const at = (/** @type {number} */ i) => (clip.loop ? (i + count) % count : Math.min(count, Math.max(0, i)));
  const step = dt * SUBSTEPS;
  const stiffness = (2 * Math.PI * frequency) ** 2;
  const drag = 2 * damping * 2 * Math.PI * frequency;
  const wanted = Array.from({ length: count + 1 }, (_, i) => turns[at(i)] + clip.offset(bone, 'rz', (i * clip.duration) / count) + wind);
  let angle = wanted[0];
  let speed = 0;
  /** @type {number[]} */
  let samples = [];
  for (let round = 0; round < (clip.loop ? ROUNDS : 1); round++) {
    samples = [];
    for (let i = 0; i < count; i++) {
      samples.push(angle - turns[at(i)]);
      const [before, here, behind] = [joints[at(i - 1)], joints[at(i)], joints[at(i + 1)]];
      const ax = (before[0] - 2 * here[0] + behind[0]) / (step * step);
      const ay = (before[1] - 2 * here[1] + behind[1]) / (step * step);
      for (let k = 0; k < SUBSTEPS; k++) {
        const target = wanted[i] + ((wanted[i + 1] - wanted[i]) * k) / SUBSTEPS;
        const targetSpeed = (wanted[i + 1] - wanted[i]) / step;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const [x, y] = [cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]];
        const torque = (-(x * ay - y * ax) / (x * x + y * y)) * gain;
        speed += (stiffness * (target - angle) + drag * (targetSpeed * 0.5 - speed) + torque) * dt;
        angle += speed * dt;
      }
    }
    samples.push(clip.loop ? samples[0] : angle - turns[count]);
  }
  return samples;
}
