// Legs: two bones that reach an ankle, and the paths of feet that stay where they stand.
import { transform } from './skeleton.mjs';

/** @typedef {import('./clip.mjs').Foot} Foot */

/**
 * Turns of the three bones of a leg for a foot; the knee points to +x. A foot out of reach is approached with the leg straight.
 * @param {import('./skeleton.mjs').Skeleton} skeleton
 * @param {Map<string, import('./skeleton.mjs').Affine>} worlds of the pose without the leg
 * @param {[upper: string, lower: string, foot: string]} leg
 * @param {Foot} target
 * @returns {[number, number, number]}
 */
export function solveLeg(skeleton, worlds, [upper, lower, foot], target) {
  const bones = [upper, lower, foot].map((name) => skeleton.bones[skeleton.indexOf(name)]);
  const above = /** @type {import('./skeleton.mjs').Affine} */ (worlds.get(skeleton.bones[bones[0].parent].name));
  const turned = Math.atan2(above[1], above[0]);
  const hip = transform(above, bones[0].x, bones[0].y);
  const thigh = Math.hypot(bones[1].x, bones[1].y);
  const shin = Math.hypot(bones[2].x, bones[2].y);
  const [dx, dy] = [target.x - hip[0], target.y - hip[1]];
  const distance = Math.min(Math.hypot(dx, dy), (thigh + shin) * 0.9995);
  const bend = Math.acos((thigh * thigh + distance * distance - shin * shin) / (2 * thigh * distance));
  const thighAngle = Math.atan2(dy, dx) - bend;
  const knee = [hip[0] + thigh * Math.cos(thighAngle), hip[1] + thigh * Math.sin(thighAngle)];
  const shinAngle = Math.atan2(target.y - knee[1], target.x - knee[0]);
  const near = (/** @type {number} */ angle) => Math.atan2(Math.sin(angle), Math.cos(angle));
  const upperTurn = near(thighAngle - Math.atan2(bones[1].y, bones[1].x) - turned);
  const lowerTurn = near(shinAngle - Math.atan2(bones[2].y, bones[2].x) - turned - upperTurn);
  return [upperTurn, lowerTurn, near(target.pitch - turned - upperTurn - lowerTurn)];
}

/**
 * The ankle of a foot that is pitched about a point of its sole.
 * @param {[number, number]} pivot on the ground
 * @param {[number, number]} ankle from the pivot, in the bind pose
 * @param {number} pitch
 * @returns {Foot}
 */
function pitched([px, py], [ax, ay], pitch) {
  const [cos, sin] = [Math.cos(pitch), Math.sin(pitch)];
  return { x: px + cos * ax - sin * ay, y: py + sin * ax + cos * ay, pitch };
}

/**
 * @param {number} from
 * @param {number} slopeFrom per unit of u
 * @param {number} to
 * @param {number} slopeTo
 * @param {number} u
 */
function hermite(from, slopeFrom, to, slopeTo, u) {
  const [u2, u3] = [u * u, u * u * u];
  return from * (2 * u3 - 3 * u2 + 1) + slopeFrom * (u3 - 2 * u2 + u) + to * (3 * u2 - 2 * u3) + slopeTo * (u3 - u2);
}

/**
 * @typedef {object} Gait
 * @property {number} duration of two steps
 * @property {number} speed over the ground
 * @property {number} stance part of the duration in which a foot is on the ground
 * @property {number} reach where the ankle stands when the foot comes down, from where it stands in the bind pose
 * @property {number} lift of the ankle in the middle of the swing
 * @property {number} strike pitch of the foot as it comes down, toes up: below 0
 * @property {number} flatAt part of the stance when the foot is flat
 * @property {number} liftAt part of the stance when the heel leaves the ground
 * @property {number} push pitch of the foot as its toes leave the ground
 * @property {number} swing pitch of the foot in the middle of the swing
 * @property {{ back: number, up: number, pitch: number }} [kick] how far the heel is thrown up behind, a quarter into the swing
 */

/**
 * The path of a foot in place: on the ground it goes back at the speed of the gait, first about the heel, then flat, then about the toes.
 * @param {Gait} gait
 * @param {[number, number]} rest the ankle in the bind pose
 * @param {{ heel: number, toe: number, ground: number }} sole from the ankle
 * @param {number} phase of the duration at which the foot comes down
 * @returns {(t: number) => Foot}
 */
export function footPath(gait, rest, sole, phase) {
  const { duration, speed, stance, reach, lift, strike, flatAt, liftAt, push, swing, kick = { back: 0, up: 0, pitch: 0 } } = gait;
  const stanceTime = stance * duration;
  const ease = (/** @type {number} */ u) => u * u * (3 - 2 * u);
  const onGround = (/** @type {number} */ t) => {
    const part = t / stanceTime;
    const x = rest[0] + reach - speed * t;
    const ground = rest[1] + sole.ground;
    if (part < flatAt) {
      return pitched([x + sole.heel, ground], [-sole.heel, -sole.ground], strike * (1 - ease(part / flatAt)));
    }
    // The heel leaves with a slope, so that the push is not braked before the toes go.
    const u = Math.max(0, (part - liftAt) / (1 - liftAt));
    return pitched([x + sole.toe, ground], [-sole.toe, -sole.ground], push * u * u);
  };
  const leaves = onGround(stanceTime);
  const lands = onGround(0);
  const before = onGround(stanceTime - 1e-4);
  const behind = onGround(1e-4);
  const swingTime = duration - stanceTime;
  const rate = swingTime / 1e-4;
  return (time) => {
    const t = (((time - phase * duration) % duration) + duration) % duration;
    if (t <= stanceTime) {
      return onGround(t);
    }
    const u = (t - stanceTime) / swingTime;
    const bump = 16 * u * u * (1 - u) * (1 - u);
    const thrown = (65536 / 729) * u * u * (1 - u) ** 6;
    return {
      x: hermite(leaves.x, (leaves.x - before.x) * rate, lands.x, (behind.x - lands.x) * rate, u) - kick.back * thrown,
      y: hermite(leaves.y, (leaves.y - before.y) * rate, lands.y, (behind.y - lands.y) * rate, u) - lift * bump - kick.up * thrown,
      pitch: hermite(leaves.pitch, (leaves.pitch - before.pitch) * rate * 0.5, lands.pitch, (behind.pitch - lands.pitch) * rate * 0.5, u) + swing * bump + kick.pitch * thrown,
    };
  };
}
