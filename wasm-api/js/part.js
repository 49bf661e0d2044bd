import { checkColor, checkType } from './errors.js';
import { CachedView } from './heap.js';
import { PART } from './layout.js';
import { toOpacity } from './view.js';

const changeVisible = 1;
const changeColor = 2;
const changeOpacity = 4;
const changeSprite = 8;

/**
 * A part of one instance. `visible`, `color`, `opacity` and `sprite` show what is seen; setting them changes the base, which is seen
 * after the next update unless a clip drives the field.
 */
export class Part {
  #instance;
  #heap;
  #index;
  #epoch;
  #name;
  #positions;
  #uvs;
  #indices;
  #vertexMap;

  /**
   * @internal
   * @param {import('./instance.js').Instance} instance
   * @param {number} index in draw order
   */
  constructor(instance, index) {
    this.#instance = instance;
    this.#heap = instance.heap;
    this.#index = index;
    this.#epoch = instance.epoch;
    this.#name = instance.loadedModel.parts[index].name;
    this.#positions = new CachedView(instance.heap, Float32Array);
    this.#uvs = new CachedView(instance.heap, Float32Array);
    this.#indices = new CachedView(instance.heap, Uint32Array);
    this.#vertexMap = new CachedView(instance.heap, Uint32Array);
  }

  get #at() {
    return this.#instance.partAddress(this.index);
  }

  /** @param {number} offset */
  #word(offset) {
    return this.#heap.u32[(this.#at + offset) >>> 2];
  }

  get instance() {
    return this.#instance;
  }

  get name() {
    return this.#data.name;
  }

  get #data() {
    return this.#instance.loadedModel.parts[this.index];
  }

  /** In draw order. The part is found again by its name when the model was replaced. */
  get index() {
    if (this.#epoch !== this.#instance.epoch) {
      this.#index = this.#instance.loadedModel.partIndex(this.#name);
      this.#epoch = this.#instance.epoch;
    }
    return this.#index;
  }

  get fileIndex() {
    return this.#word(PART.fileIndex);
  }

  get order() {
    return this.#heap.f32[(this.#at + PART.order) >>> 2];
  }

  get blend() {
    return this.#data.blend;
  }

  /** The page its picture lies on. */
  get page() {
    return this.#word(PART.page);
  }

  // -------------------------------------------------------------------------------------------- what is seen

  get visible() {
    return this.#word(PART.visible) !== 0;
  }

  set visible(value) {
    checkType('visible', value, 'boolean');
    this.#change(changeVisible, Number(value), 0, 0, 0);
  }

  /** 0xRRGGBB, multiplied with the picture. */
  get color() {
    return this.#word(PART.color);
  }

  set color(value) {
    checkColor('color', value);
    this.#change(changeColor, 0, value, 0, 0);
  }

  /** 0..1; what is set beyond is the nearer end. */
  get opacity() {
    return this.#heap.f32[(this.#at + PART.opacity) >>> 2];
  }

  set opacity(value) {
    this.#change(changeOpacity, 0, 0, toOpacity(value), 0);
  }

  /**
   * GUID of the picture, or null. Another sprite of the model may take its place: the same uvs, on another frame.
   * @returns {string | null}
   */
  get sprite() {
    const index = this.#heap.i32[(this.#at + PART.sprite) >>> 2];
    return index < 0 ? null : this.#instance.loadedModel.sprites[index].guid;
  }

  set sprite(guid) {
    this.#change(changeSprite, 0, 0, 0, guid === null ? -1 : this.#instance.loadedModel.spriteIndex(guid));
  }

  /**
   * @param {number} set
   * @param {number} visible
   * @param {number} color
   * @param {number} opacity
   * @param {number} sprite
   */
  #change(set, visible, color, opacity, sprite) {
    const { heap, handle } = this.#instance;
    heap.check(heap.calls.instance_set_part(handle, this.index, set, visible, color, opacity, sprite));
  }

  // -------------------------------------------------------------------------------------------- geometry

  get firstVertex() {
    return this.#word(PART.firstVertex);
  }

  get vertexCount() {
    return this.#word(PART.vertexCount);
  }

  /** Where its triangles begin in the instance's `indices`. */
  get firstIndex() {
    return this.#word(PART.firstIndex);
  }

  get indexCount() {
    return this.#word(PART.indexCount);
  }

  /** x, y of its vertices, in the instance's space: a view over linear memory. */
  get positions() {
    return this.#positions.at(this.#instance.positionsAddress + this.firstVertex * 8, this.vertexCount * 2);
  }

  /** u, v of its vertices on the page. */
  get uvs() {
    return this.#uvs.at(this.#instance.uvsAddress + this.firstVertex * 8, this.vertexCount * 2);
  }

  /** Triangles; they count the vertices of the whole instance, so subtract `firstVertex` for `positions` of the part. */
  get indices() {
    return this.#indices.at(this.#instance.indicesAddress + this.firstIndex * 4, this.indexCount);
  }

  /** `vertexMap[i]` is the file's index of vertex i. */
  get vertexMap() {
    return this.#vertexMap.at(this.#word(PART.vertexMap), this.vertexCount);
  }

  /** Bounds of its posed vertices. */
  get bounds() {
    return this.#instance.boundsOf(this.index);
  }

  /**
   * Moves its vertices before they are skinned; see `Instance.setDeform`.
   * @param {ArrayLike<number> | null} offsets
   */
  setDeform(offsets) {
    this.#instance.setDeform(this.index, offsets);
  }
}
