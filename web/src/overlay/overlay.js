import { drawBones } from './bones.js';
import { drawBounds } from './bounds.js';
import { colorApart } from './colors.js';
import { placeFrame } from './gizmo.js';
import { GizmoView } from './gizmo-view.js';
import { Influences } from './influences.js';
import { MeshLayer } from './mesh.js';
import { Skeleton } from './skeleton.js';
import { drawTag } from './tags.js';

/** @typedef {import('../state.js').AppState} AppState */
/** @typedef {import('./hand.js').Hand} Hand */

/**
 * What the overlay knows of the figure that is shown.
 * @typedef {object} Figure
 * @property {import('marrow2d').Instance} hero
 * @property {import('marrow2d').Model} model
 * @property {Influences} influences
 * @property {Skeleton} skeleton
 * @property {Uint32Array} dominants the bone that moves each vertex most
 * @property {number[]} colors of the bones in the map of them
 */

/**
 * Draws over whichever stage is seen: the mesh on one canvas, bones, bounds and handles on another. A frame in which nothing of that
 * changed costs a few comparisons, and no frame makes garbage.
 */
export class Overlay {
  element = document.createElement('div');
  #state;
  #marrow;
  #stage;
  #wake;
  #sketch = document.createElement('canvas');
  #context;
  #gizmo;
  /** @type {MeshLayer | null} made when it is first asked for */
  #mesh = null;
  /** @type {Figure | null} */
  #figure = null;
  #weightsOf = -1;
  /** The pictures that the mesh layer has.
   *  @type {ReadonlyMap<string, import('../pictures.js').Picture> | null} */
  #pictures = null;
  #homography = new Float64Array(9);
  #seen = { version: -1, structure: -1, pose: -1, hand: -1, ratio: 0 };
  #needs = { mesh: true, sketch: true, size: true };
  #size = { width: 1, height: 1 };
  #paint = { selection: '', accent: '' };
  #frame = { x: 0, y: 0, cos: 1, sin: 0, unit: 1 };
  /** @type {import('./bones.js').Marks} */
  #marks = { all: false, selected: -1, hovered: -1, categories: null, selection: '', accent: '', radius: 0.5 };
  /** @type {Hand | null} */
  hand = null;

  /**
   * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
   * @param {import('marrow2d').Marrow} marrow
   * @param {() => import('../stages/stage.js').Stage} stage which one is seen
   * @param {() => void} wake asks for a frame
   */
  constructor(state, marrow, stage, wake) {
    this.#state = state;
    this.#marrow = marrow;
    this.#stage = stage;
    this.#wake = wake;
    this.element.className = 'overlay';
    this.element.ariaHidden = 'true';
    this.element.append(this.#sketch);
    this.#context = /** @type {CanvasRenderingContext2D} */ (this.#sketch.getContext('2d'));
    this.#gizmo = new GizmoView(this.#context);
    new ResizeObserver(() => {
      this.#needs.size = true;
    }).observe(this.element);
    state.subscribe((now, before) => {
      const isOther = now.scene !== before.scene || now.stage !== before.stage || now.overlay !== before.overlay || now.bone !== before.bone;
      const isSketched = now.hovered !== before.hovered || now.tool !== before.tool || now.axes !== before.axes || now.ui !== before.ui;
      this.#needs.mesh ||= isOther;
      this.#needs.sketch ||= isOther || isSketched || now.theme !== before.theme;
      if (now.theme !== before.theme) {
        this.#paint.selection = '';
      }
    });
  }

  /** Null while there is nothing to see. @returns {Figure | null} */
  get figure() {
    const hero = this.#state.value.scene?.hero ?? null;
    if (hero === null || hero.isDisposed || hero.model === null) {
      this.#figure = null;
    } else if (hero !== this.#figure?.hero || hero.model !== this.#figure.model) {
      this.#look(hero, hero.model);
    }
    return this.#figure;
  }

  get homography() {
    return this.#stage().homography;
  }

  /** Draws what changed. To be called after the stage was drawn. */
  update() {
    const { overlay, bone, hovered, scene } = this.#state.value;
    const wantsMesh = scene !== null && (overlay.includes('wireframe') || overlay.includes('dominant') || (overlay.includes('weights') && bone !== null));
    const wantsSketch = scene !== null && (bone !== null || hovered !== null || overlay.includes('bones') || overlay.includes('bounds'));
    // The figure is looked into only when somebody wants to see it.
    const figure = wantsMesh || wantsSketch ? this.figure : null;
    show(this.#sketch, wantsSketch && figure !== null);
    if (this.#mesh !== null) {
      show(this.#mesh.canvas, wantsMesh && figure !== null);
    }
    if (figure === null) {
      return;
    }
    this.#notice(figure.hero);
    if (wantsMesh && this.#needs.mesh) {
      this.#drawMesh(figure);
      this.#needs.mesh = false;
    }
    if (wantsSketch && this.#needs.sketch) {
      this.#drawSketch(figure);
      this.#needs.sketch = false;
    }
  }

  /**
   * @param {import('marrow2d').Instance} hero
   * @param {import('marrow2d').Model} model
   */
  #look(hero, model) {
    const influences = new Influences(hero, model);
    const dominants = influences.dominants();
    const skeleton = new Skeleton(this.#marrow, hero, model, dominants);
    this.#figure = { hero, model, influences, skeleton, dominants, colors: colorApart(influences.neighbors(dominants, skeleton.parents)) };
    this.#pictures = null;
    this.#needs.mesh = true;
    this.#needs.sketch = true;
  }

  /** Compares all that may have changed without a word. @param {import('marrow2d').Instance} hero */
  #notice({ version, structureVersion, poseVersion }) {
    const seen = this.#seen;
    const needs = this.#needs;
    const hasMoved = this.#followHomography();
    const isOther = hasMoved || version !== seen.version || structureVersion !== seen.structure;
    needs.mesh ||= isOther;
    needs.sketch ||= isOther || poseVersion !== seen.pose || (this.hand?.version ?? 0) !== seen.hand;
    seen.version = version;
    seen.structure = structureVersion;
    seen.pose = poseVersion;
    seen.hand = this.hand?.version ?? 0;
    if (needs.size || devicePixelRatio !== seen.ratio) {
      seen.ratio = devicePixelRatio;
      this.#resize();
    }
  }

  #followHomography() {
    const now = this.homography;
    const before = this.#homography;
    let isOther = false;
    for (let at = 0; at < 9; at += 1) {
      isOther ||= now[at] !== before[at];
      before[at] = now[at];
    }
    return isOther;
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    this.#size.width = Math.max(1, clientWidth);
    this.#size.height = Math.max(1, clientHeight);
    fit(this.#sketch, this.#size);
    if (this.#mesh !== null) {
      fit(this.#mesh.canvas, this.#size);
    }
    Object.assign(this.#needs, { mesh: true, sketch: true, size: false });
  }

  /** @param {Figure} figure */
  #drawMesh({ hero, model, influences, skeleton, dominants, colors }) {
    const { scene, overlay, bone } = this.#state.value;
    if (this.#mesh === null) {
      this.#mesh = new MeshLayer(() => {
        this.#needs.mesh = true;
        this.#wake();
      });
      this.element.prepend(this.#mesh.canvas);
      fit(this.#mesh.canvas, this.#size);
    }
    if (scene !== null && scene.pictures !== this.#pictures) {
      this.#pictures = scene.pictures;
      this.#mesh.show(hero, dominants, colors, picturesByPage(model, scene.pictures));
      this.#weightsOf = -1;
    }
    const index = skeleton.indexOf(bone);
    if (index !== this.#weightsOf) {
      this.#weightsOf = index;
      this.#mesh.setWeights(index < 0 ? null : influences.weights(index));
    }
    this.#mesh.draw(this.#homography, this.#size.width, this.#size.height, overlay);
  }

  /** @param {Figure} figure */
  #drawSketch({ hero, skeleton, colors }) {
    const context = this.#context;
    const { overlay, bone, hovered } = this.#state.value;
    const { width, height } = this.#size;
    this.#readPaint();
    context.setTransform(this.#sketch.width / width, 0, 0, this.#sketch.height / height, 0, 0);
    context.clearRect(0, 0, width, height);
    skeleton.measure(this.#homography);
    if (overlay.includes('bounds')) {
      drawBounds(context, hero, this.#homography, this.#paint.selection);
    }
    const marks = this.#marks;
    marks.all = overlay.includes('bones');
    marks.selected = skeleton.indexOf(bone);
    marks.hovered = skeleton.indexOf(hovered);
    marks.categories = overlay.includes('dominant') ? colors : null;
    marks.selection = this.#paint.selection;
    marks.accent = this.#paint.accent;
    drawBones(context, skeleton, marks);
    this.#drawGizmo();
    this.#drawTags(skeleton, marks.hovered);
  }

  #drawGizmo() {
    const { tool } = this.#state.value;
    if (this.placeGizmo(this.#frame)) {
      this.#gizmo.draw(this.#homography, this.#frame, tool, this.hand?.handle ?? null, this.hand?.grip ?? null, this.#paint.accent);
    }
  }

  /**
   * Where the handles of the selected bone are.
   * @param {import('./gizmo.js').Frame} out
   * @returns {boolean} false: there are none
   */
  placeGizmo(out) {
    const { bone, tool, axes, ui } = this.#state.value;
    if (bone === null || !ui || this.#figure === null) {
      return false;
    }
    const m = this.#figure.hero.nodeAt(bone).matrix;
    // Scales are the bone's own, so that tool has no axes of the sheet.
    const isLocal = axes === 'local' || tool === 'scale';
    return placeFrame(this.homography, m[4], m[5], isLocal ? Math.atan2(m[1], m[0]) : 0, out);
  }

  /** @param {Skeleton} skeleton @param {number} hovered index */
  #drawTags(skeleton, hovered) {
    const { hand } = this;
    const { width } = this.#size;
    if (hand !== null && hand.readout !== '') {
      drawTag(this.#context, hand.readout, hand.x, hand.y, width);
    } else if (hovered >= 0 && hovered !== this.#marks.selected) {
      drawTag(this.#context, skeleton.node(hovered).name, skeleton.points[hovered * 4], skeleton.points[hovered * 4 + 1], width);
    }
  }

  #readPaint() {
    if (this.#paint.selection === '') {
      const style = getComputedStyle(document.documentElement);
      this.#paint.selection = style.getPropertyValue('--selection').trim();
      this.#paint.accent = style.getPropertyValue('--accent').trim();
    }
  }
}

/**
 * @param {import('marrow2d').Model} model
 * @param {ReadonlyMap<string, import('../pictures.js').Picture>} pictures by GUID
 */
function picturesByPage({ sprites }, pictures) {
  /** @type {(ImageBitmap | null)[]} */
  const pages = new Array(sprites.reduce((count, { page }) => Math.max(count, page + 1), 0)).fill(null);
  for (const { guid, page } of sprites) {
    pages[page] = pictures.get(guid)?.source.resource ?? null;
  }
  return pages;
}

/** @param {HTMLCanvasElement} canvas @param {boolean} isShown */
function show(canvas, isShown) {
  if (canvas.hidden === isShown) {
    canvas.hidden = !isShown;
  }
}

/** As many pixels as the device has. @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} size CSS pixels */
function fit(canvas, { width, height }) {
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
}
