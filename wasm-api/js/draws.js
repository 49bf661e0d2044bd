import { argumentError, checkClass, named } from './errors.js';
import { Instance } from './instance.js';

/**
 * What a view needs to know of a part to choose its picture.
 *
 * @typedef {object} TexturedPart
 * @property {string} name
 * @property {string | null} sprite GUID (or path) of the picture, null without one
 * @property {number} page the atlas page that the picture lies on
 */

/**
 * Where a view finds its pictures: one for everything, or one by part name or GUID of the sprite (the name is tried first), or a
 * function. Each stands for the whole atlas page. A part without a picture is not drawn.
 *
 * @template T
 * @typedef {T | Readonly<Record<string, T | null | undefined>> | ((part: TexturedPart) => T | null | undefined)} Textures
 */

/**
 * What one mesh draws.
 *
 * @template T
 * @typedef {object} Draw
 * @property {T} texture
 * @property {import('./types.js').Blend} blend
 * @property {number} firstIndex
 * @property {number} indexCount
 * @property {number} color 0xRRGGBB
 * @property {number} opacity
 * @property {import('./types.js').Run} run
 */

/**
 * Refuses what a view of one instance cannot show.
 * @internal
 * @param {string} where
 * @param {unknown} instance
 */
export function checkShown(where, instance) {
  checkClass(where, instance, Instance);
  if (/** @type {Instance} */ (instance).crowd !== null) {
    throw argumentError(where, 'a member of a crowd is shown by a CrowdView');
  }
}

/**
 * @internal
 * @param {string} where
 * @param {unknown} textures
 */
export function checkTextures(where, textures) {
  if (typeof textures !== 'function' && (typeof textures !== 'object' || textures === null)) {
    throw argumentError(where, `${named(textures)} is neither a texture nor a function nor textures by name`);
  }
}

/**
 * @template {object} T
 * @param {Textures<T>} textures
 * @param {TexturedPart} part
 * @param {(value: object) => value is T} isTexture
 * @returns {T | null}
 */
function textureOf(textures, part, isTexture) {
  const found = typeof textures === 'function' ? textures(part)
    : isTexture(textures) ? textures
      : textures[part.name] ?? (part.sprite === null ? null : textures[part.sprite]);
  return found !== null && found !== undefined && isTexture(found) ? found : null;
}

/**
 * The runs of an instance as draws. A run shares one page, so it usually is one draw; it is cut where the caller gives parts of one
 * page different pictures, or none.
 *
 * @internal
 * @template {object} T
 * @param {import('./instance.js').Instance} instance
 * @param {Textures<T>} textures
 * @param {(value: object) => value is T} isTexture
 * @returns {Draw<T>[]}
 */
export function drawsOf(instance, textures, isTexture) {
  /** @type {Draw<T>[]} */
  const draws = [];
  for (const run of instance.runs) {
    /** @type {Draw<T> | null} */
    let open = null;
    for (let index = run.firstPart; index < run.firstPart + run.partCount; index += 1) {
      const part = instance.parts[index];
      const texture = textureOf(textures, part, isTexture);
      if (texture === null || part.indexCount === 0) {
        open = texture === null ? null : open;
      } else if (open !== null && open.texture === texture) {
        open.indexCount = part.firstIndex + part.indexCount - open.firstIndex;
      } else {
        open = {
          texture, blend: run.blend, firstIndex: part.firstIndex, indexCount: part.indexCount, color: run.color, opacity: run.opacity, run,
        };
        draws.push(open);
      }
    }
  }
  return draws;
}

/**
 * Brings the colors of draws up to date with their runs, where those are still the same runs.
 *
 * @internal
 * @param {import('./instance.js').Instance} instance
 * @param {readonly Draw<object>[]} draws
 */
export function recolorDraws(instance, draws) {
  if (instance.runs.length > 0) { // reading them brings the objects up to date that the draws hold
    for (const draw of draws) {
      draw.color = draw.run.color;
      draw.opacity = draw.run.opacity;
    }
  }
}

/**
 * The runs of a crowd as draws. Colors are those of its vertices.
 *
 * @internal
 * @template {object} T
 * @param {import('./crowd.js').Crowd} crowd
 * @param {Textures<T>} textures
 * @param {(value: object) => value is T} isTexture
 * @returns {Draw<T>[]}
 */
export function crowdDrawsOf(crowd, textures, isTexture) {
  /** @type {Draw<T>[]} */
  const draws = [];
  for (const run of crowd.runs) {
    const { blend, firstIndex, indexCount, firstVertex } = run;
    const part = partAt(crowd, firstVertex);
    const texture = part === null ? null : textureOf(textures, part, isTexture);
    if (texture !== null) {
      draws.push({ texture, blend, firstIndex, indexCount, color: 0xffffff, opacity: 1, run });
    }
  }
  return draws;
}

/**
 * The part whose vertices a run begins with: what it shows, all of the run shows.
 * @param {import('./crowd.js').Crowd} crowd
 * @param {number} vertex
 */
function partAt({ members, positions }, vertex) {
  for (const member of members) {
    // Members write side by side into the crowd's vertices, two floats each.
    const first = vertex - (member.positionsAddress - positions.byteOffset) / 8;
    const part = first >= 0 && first < member.vertexCount ? member.parts.find((each) => each.firstVertex === first) : undefined;
    if (part !== undefined) {
      return part;
    }
  }
  return null;
}

/**
 * Two 0xRRGGBB colors multiplied by channel.
 * @internal
 * @param {number} a
 * @param {number} b
 */
export function multiplyColors(a, b) {
  const red = Math.round(((a >> 16) & 255) * ((b >> 16) & 255) / 255);
  const green = Math.round(((a >> 8) & 255) * ((b >> 8) & 255) / 255);
  const blue = Math.round((a & 255) * (b & 255) / 255);
  return (red << 16) | (green << 8) | blue;
}
