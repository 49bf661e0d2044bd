import { FileError } from './files.js';

/**
 * A rig for a picture, in the words of a file.
 * @param {import('./files.js').OwnPicture} picture
 * @returns {Promise<import('./files.js').TextFile>}
 */
export async function rigPicture({ name, width, height, study: { guid, mask } }) {
  // Its binary is for those who drop pictures.
  const { buildRig, suggestBones } = await import('marrow2d/author');
  try {
    const bones = fromTheGround(suggestBones({ width, height, mask }));
    const rig = buildRig({ width, height, mask, sprite: guid, bones });
    return { name: name.replace(/\.[^.]+$/, '.rig2d.json'), text: JSON.stringify(rig) };
  } catch (cause) {
    throw new FileError(name, cause);
  }
}

/**
 * The chain that is suggested for a tall picture begins at the top. Turned round, a standing figure sways from its feet.
 * @param {import('../../wasm-api/js/author/data.js').FileBone[]} bones a chain
 */
function fromTheGround(bones) {
  /** @type {{ x: number, y: number }[]} */
  const joints = [];
  for (const { x = 0, y = 0 } of bones) {
    const last = joints.at(-1) ?? { x: 0, y: 0 };
    joints.push({ x: last.x + x, y: last.y + y });
  }
  const [first, last] = [joints[0], joints[joints.length - 1]];
  if (last.y - first.y <= Math.abs(last.x - first.x)) {
    return bones;
  }
  joints.reverse();
  return bones.map((bone, index) => ({
    ...bone, x: joints[index].x - (joints[index - 1]?.x ?? 0), y: joints[index].y - (joints[index - 1]?.y ?? 0),
  }));
}
