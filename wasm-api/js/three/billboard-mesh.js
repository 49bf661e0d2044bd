import { Box3, BufferAttribute, BufferGeometry, DynamicDrawUsage, Matrix4, Mesh, Ray, Sphere, Vector3 } from 'three';

const localRay = new Ray();
const inverse = new Matrix4();
const point = new Vector3();
const bounds = { minX: 0, minY: 0, maxX: 0, maxY: 0, centerX: 0, centerY: 0, radius: 0, empty: true };

/**
 * The vertices of an instance as one three.js mesh with a group for each run. Its space is the rig's: x right, y down, in the plane z = 0.
 * @extends {Mesh<BufferGeometry, import('three').Material[]>}
 */
export class BillboardMesh extends Mesh {
  /** @type {import('../instance.js').Instance | null} */
  #instance;
  #version = -1;
  #structureVersion = -1;
  #positionLength = -1;
  #indexLength = -1;

  /**
   * @internal
   * @param {import('../instance.js').Instance} instance
   */
  constructor(instance) {
    super(new BufferGeometry(), []);
    this.#instance = instance;
    this.matrixAutoUpdate = false;
    this.geometry.boundingSphere = new Sphere();
    this.geometry.boundingBox = new Box3();
  }

  /**
   * @internal Follows the instance's vertices.
   * @returns {number} bytes to upload
   */
  syncVertices() {
    const instance = /** @type {import('../instance.js').Instance} */ (this.#instance);
    const { version, structureVersion } = instance;
    const restructured = structureVersion !== this.#structureVersion;
    const moved = restructured || version !== this.#version;
    this.#fit(instance);
    const { position, uv } = this.geometry.attributes;
    const index = /** @type {BufferAttribute} */ (this.geometry.index);
    const bytes = refresh(/** @type {BufferAttribute} */ (position), instance.positions, moved)
      + refresh(/** @type {BufferAttribute} */ (uv), instance.uvs, restructured) + refresh(index, instance.indices, restructured);
    this.#version = version;
    this.#structureVersion = structureVersion;
    if (moved) {
      this.#measure(instance);
    }
    return bytes;
  }

  /** @internal Nothing of it looks at linear memory any more. */
  release() {
    this.#instance = null;
    this.visible = false;
    this.geometry.dispose();
    this.geometry.deleteAttribute('position').deleteAttribute('uv').setIndex(null);
    this.geometry.clearGroups();
  }

  /**
   * For whoever measures vertex by vertex: there are two numbers a vertex, not three.
   * @param {number} index
   * @param {Vector3} target
   */
  getVertexPosition(index, target) {
    const { position } = this.geometry.attributes;
    return target.set(position.getX(index), position.getY(index), 0);
  }

  /**
   * Asks the core, so that transparent pixels and hidden parts are not hit.
   * @param {import('three').Raycaster} raycaster
   * @param {import('three').Intersection[]} intersects
   */
  raycast(raycaster, intersects) {
    if (this.#instance === null) {
      return;
    }
    localRay.copy(raycaster.ray).applyMatrix4(inverse.copy(this.matrixWorld).invert());
    const steps = -localRay.origin.z / localRay.direction.z;
    if (!(steps >= 0 && steps < Infinity)) {
      return;
    }
    point.copy(localRay.direction).multiplyScalar(steps).add(localRay.origin);
    const hit = this.#instance.hitTest(point.x, point.y);
    const world = point.clone().setZ(0).applyMatrix4(this.matrixWorld);
    const distance = world.distanceTo(raycaster.ray.origin);
    if (hit !== null && distance >= raycaster.near && distance <= raycaster.far) {
      intersects.push(Object.assign({ distance, point: world, object: this }, { hit }));
    }
  }

  /**
   * three.js cannot resize the GPU buffer of an attribute, and leaks those of attributes that it no longer sees.
   * @param {import('../instance.js').Instance} instance
   */
  #fit({ positions, uvs, indices }) {
    // Not compared with the attributes' arrays: once memory grew those are empty.
    if (positions.length === this.#positionLength && indices.length === this.#indexLength) {
      return;
    }
    this.#positionLength = positions.length;
    this.#indexLength = indices.length;
    const { geometry } = this;
    geometry.dispose();
    geometry.setAttribute('position', new BufferAttribute(positions, 2).setUsage(DynamicDrawUsage));
    geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
    geometry.setIndex(new BufferAttribute(indices, 1));
  }

  /** @param {import('../instance.js').Instance} instance */
  #measure(instance) {
    instance.readBounds(-1, bounds);
    const sphere = /** @type {Sphere} */ (this.geometry.boundingSphere);
    const box = /** @type {Box3} */ (this.geometry.boundingBox);
    if (bounds.empty) {
      sphere.makeEmpty();
      box.makeEmpty();
      return;
    }
    // Field by field: V8 makes objects of fractions that a call takes.
    sphere.center.x = bounds.centerX;
    sphere.center.y = bounds.centerY;
    sphere.center.z = 0;
    sphere.radius = bounds.radius;
    box.min.x = bounds.minX;
    box.min.y = bounds.minY;
    box.min.z = 0;
    box.max.x = bounds.maxX;
    box.max.y = bounds.maxY;
    box.max.z = 0;
  }
}

/**
 * Points an attribute at the present view of its data. A view of another place holds the same bytes, so that it need not be uploaded.
 * @param {BufferAttribute} attribute
 * @param {Float32Array | Uint32Array} view
 * @param {boolean} changed
 * @returns {number} bytes to upload
 */
function refresh(attribute, view, changed) {
  if (attribute.array !== view) {
    attribute.array = view;
  }
  if (!changed) {
    return 0;
  }
  attribute.needsUpdate = true;
  return view.byteLength;
}
