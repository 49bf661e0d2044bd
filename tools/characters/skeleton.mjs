// Bones of a character: the bind pose, and where a pose puts them.

/** @typedef {{ name: string, parent: number, x: number, y: number, rot: number, noScale?: boolean }} Bone */
/** @typedef {[number, number, number, number, number, number]} Affine x' = a x + c y + e, y' = b x + d y + f */
/** @typedef {{ x: number, y: number, rz: number, sx: number, sy: number }} Local */

/**
 * @param {Affine} p
 * @param {Affine} c applied first
 * @returns {Affine}
 */
function multiply(p, c) {
  return [
    p[0] * c[0] + p[2] * c[1], p[1] * c[0] + p[3] * c[1], p[0] * c[2] + p[2] * c[3], p[1] * c[2] + p[3] * c[3],
    p[0] * c[4] + p[2] * c[5] + p[4], p[1] * c[4] + p[3] * c[5] + p[5],
  ];
}

/**
 * @param {Affine} m
 * @returns {Affine}
 */
function withoutScale(m) {
  const x = Math.hypot(m[0], m[1]) || 1;
  const y = Math.hypot(m[2], m[3]) || 1;
  return [m[0] / x, m[1] / x, m[2] / y, m[3] / y, m[4], m[5]];
}

export class Skeleton {
  /** @type {Bone[]} */
  bones = [];
  /** Joints in the bind pose, in rig space.
   *  @type {Map<string, [number, number]>} */
  joints = new Map();
  /** @type {Map<string, number>} */
  #index = new Map();

  /**
   * @param {[name: string, parent: string | null, x: number, y: number, noScale?: boolean][]} list joints in rig space, parents first
   */
  constructor(list) {
    for (const [name, parent, x, y, noScale] of list) {
      const [px, py] = parent === null ? [0, 0] : this.joint(parent);
      const bone = { name, parent: parent === null ? -1 : this.indexOf(parent), x: x - px, y: y - py, rot: 0 };
      this.bones.push(noScale === true ? { ...bone, noScale } : bone);
      this.joints.set(name, [x, y]);
      this.#index.set(name, this.bones.length - 1);
    }
  }

  /** @param {string} name */
  indexOf(name) {
    const index = this.#index.get(name);
    if (index === undefined) {
      throw new Error(`there is no bone ${name}`);
    }
    return index;
  }

  /** @param {string} name */
  joint(name) {
    return /** @type {[number, number]} */ (this.joints.get(this.bones[this.indexOf(name)].name));
  }

  /**
   * The names from the root to the bone, as clips write them.
   * @param {string} name
   * @returns {string}
   */
  path(name) {
    const { parent } = this.bones[this.indexOf(name)];
    return parent < 0 ? name : `${this.path(this.bones[parent].name)}/${name}`;
  }

  /**
   * @param {(bone: string) => Local} localOf
   * @returns {Map<string, Affine>}
   */
  pose(localOf) {
    const worlds = new Map();
    for (const { name, parent, noScale } of this.bones) {
      const { x, y, rz, sx, sy } = localOf(name);
      const [cos, sin] = [Math.cos(rz), Math.sin(rz)];
      /** @type {Affine} */
      const local = [cos * sx, sin * sx, -sin * sy, cos * sy, x, y];
      const above = parent < 0 ? null : worlds.get(this.bones[parent].name);
      worlds.set(name, above === null ? local : multiply(noScale === true ? withoutScale(above) : above, local));
    }
    return worlds;
  }
}

/**
 * @param {Affine} m
 * @param {number} x
 * @param {number} y
 * @returns {[number, number]}
 */
export function transform(m, x, y) {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}
