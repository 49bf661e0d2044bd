// Weights along a chain of bones: at each joint the child takes over across the plane that halves the bend there.

/**
 * How a joint bends. Behind and ahead are the two sides of a limb that hangs down and faces +x. Where a limb folds, a short zone lets
 * one half slide over the other as two stiff pieces do; where it stretches, a long one keeps it round.
 * @typedef {object} Bend
 * @property {[behind: number, ahead: number]} radius half the width of the zone
 * @property {[behind: number, ahead: number]} [shift] of the zone along the chain, above 0 towards its end
 * @property {number} width from the joint to the sides at which these numbers hold
 */

/**
 * @param {number} x
 */
function smooth(x) {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

/**
 * How far a vertex has gone over to the bone behind a joint.
 * @param {number} along the chain, from the joint
 * @param {number} across it, above 0 ahead
 * @param {number | Bend} bend
 */
function passage(along, across, bend) {
  if (typeof bend === 'number') {
    return smooth(0.5 + along / (2 * bend));
  }
  const { radius, shift = [0, 0], width } = bend;
  const ahead = smooth(0.5 + across / (2 * width));
  const mix = (/** @type {[number, number]} */ [a, b]) => a + (b - a) * ahead;
  return smooth(0.5 + (along - mix(shift)) / (2 * mix(radius)));
}

/**
 * @param {import('./skeleton.mjs').Skeleton} skeleton
 * @param {{ chain: string[], radius: number | (number | Bend)[], end?: [number, number] }} skin bones from the first to the last; half the
 *   width of the zone in which a joint bends, for all joints or for each; where the last bone ends, else it goes on as the one before
 * @param {[number, number][]} verts
 */
export function chainWeights(skeleton, { chain, radius, end }, verts) {
  const joints = chain.map((name) => skeleton.joint(name));
  const last = joints[joints.length - 1];
  const before = joints[joints.length - 2] ?? [last[0], last[1] - 1];
  const points = [...joints, end ?? [2 * last[0] - before[0], 2 * last[1] - before[1]]];
  const directions = joints.map((point, i) => {
    const [dx, dy] = [points[i + 1][0] - point[0], points[i + 1][1] - point[1]];
    const length = Math.hypot(dx, dy);
    return [dx / length, dy / length];
  });
  const skinIndices = [];
  const skinWeights = [];
  for (const [x, y] of verts) {
    // How far the vertex has gone over from the bones before a joint to those behind it; never less than at a later joint.
    const passed = [1];
    for (let i = 1; i < chain.length; i++) {
      const normal = [directions[i - 1][0] + directions[i][0], directions[i - 1][1] + directions[i][1]];
      const length = Math.hypot(normal[0], normal[1]);
      const [dx, dy] = [(x - joints[i][0]) / length, (y - joints[i][1]) / length];
      const bend = typeof radius === 'number' ? radius : radius[i - 1];
      passed.push(passed[i - 1] * passage(dx * normal[0] + dy * normal[1], dx * normal[1] - dy * normal[0], bend));
    }
    const weights = chain.map((name, i) => ({ bone: skeleton.indexOf(name), weight: passed[i] - (passed[i + 1] ?? 0) }));
    const kept = weights.filter(({ weight }) => weight > 0.002).sort((a, b) => b.weight - a.weight).slice(0, 4);
    const sum = kept.reduce((total, { weight }) => total + weight, 0);
    for (let slot = 0; slot < 4; slot++) {
      skinIndices.push(kept[slot]?.bone ?? 0);
      skinWeights.push(kept[slot] === undefined ? 0 : Math.round((kept[slot].weight / sum) * 1e4) / 1e4);
    }
  }
  return { skinIndices, skinWeights };
}
