// three.js on the CPU: a SkinnedMesh (three dimensions, four influences) whose applyBoneTransform is asked for each vertex, as its
// own raycaster and bounding boxes do.
import { Bone, BufferAttribute, BufferGeometry, Matrix4, MeshBasicMaterial, Skeleton, SkinnedMesh, Vector3 } from 'three';

/** @param {number[]} m */
function toMatrix4([a, b, c, d, e, f]) {
  return new Matrix4(a, c, 0, e, b, d, 0, f, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** @param {import('../character.mjs').Rig} rig */
export function createThree(rig) {
  const { vertexCount } = rig;
  const positions = new Float32Array(3 * vertexCount), indices = new Uint16Array(4 * vertexCount), weights = new Float32Array(4 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    positions.set(rig.positions.subarray(2 * v, 2 * v + 2), 3 * v);
    for (let i = rig.first[v]; i < rig.first[v + 1]; i++) {
      indices[4 * v + i - rig.first[v]] = rig.joints[i];
      weights[4 * v + i - rig.first[v]] = rig.weights[i];
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
  const bones = rig.bones.map(() => new Bone());
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  mesh.bind(new Skeleton(bones, rig.inverseBinds.map(toMatrix4)), new Matrix4());
  const binds = rig.rest.map(toMatrix4);
  const out = new Float32Array(2 * vertexCount);
  const point = new Vector3();
  return {
    out,
    setPalette: (palette) => palette.forEach((m, i) => bones[i].matrixWorld.multiplyMatrices(toMatrix4(m), binds[i])),
    skin() {
      for (let v = 0; v < vertexCount; v++) {
        point.fromArray(positions, 3 * v);
        mesh.applyBoneTransform(v, point);
        out[2 * v] = point.x;
        out[2 * v + 1] = point.y;
      }
    },
  };
}
