import {
  BoxGeometry, CanvasTexture, CircleGeometry, Color, DirectionalLight, Fog, Group, HemisphereLight, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  SRGBColorSpace,
} from 'three';

/** The set in both lights. */
const paints = {
  dark: { sky: '#2a2522', ground: '#6b5a48', light: 1.15, sun: 2.1, wood: ['#a5714a', '#8a6a52', '#7b6350'], line: '#8a765f' },
  light: { sky: '#efe6d8', ground: '#d9c3a3', light: 2.3, sun: 2.0, wood: ['#d59b6a', '#c49a75', '#b08c6c'], line: '#b89f7d' },
};

/** Boxes to walk behind: where, how large, which wood. */
/** @type {{ position: [number, number, number], size: [number, number, number], wood: number }[]} */
const boxes = [
  { position: [-0.78, 0.28, 0.5], size: [0.56, 0.56, 0.5], wood: 0 },
  { position: [1.38, 0.28, -0.8], size: [0.56, 0.56, 0.56], wood: 1 },
  { position: [-2.05, 0.45, -2.4], size: [0.7, 0.9, 0.7], wood: 2 },
  { position: [0.95, 0.14, 1.1], size: [0.5, 0.28, 0.36], wood: 1 },
];

/** A small warm set: ground, soft light, boxes, and rings on the ground that give the eye a measure. */
export class StageSet extends Group {
  #hemisphere = new HemisphereLight('#fff3e0', '#8a6f55', 1);
  #sun = new DirectionalLight('#ffd9b0', 1);
  #ground = new Mesh(new CircleGeometry(16, 72), new MeshStandardMaterial({ roughness: 1 }));
  #rings;
  #boxes = new Group();
  #sky = new Color();
  #fog = new Fog('#000000', 8, 17);

  constructor() {
    super();
    this.#sun.position.set(-2, 4, 3);
    this.#ground.rotation.x = -Math.PI / 2;
    this.#rings = new Mesh(new CircleGeometry(4, 64), new MeshBasicMaterial({ map: ringTexture(), transparent: true, depthWrite: false, opacity: 0.55 }));
    this.#rings.rotation.x = -Math.PI / 2;
    this.#rings.position.y = 0.004;
    for (const { position, size, wood } of boxes) {
      const box = new Mesh(new BoxGeometry(...size), new MeshStandardMaterial({ roughness: 0.9 }));
      box.position.set(...position);
      box.userData.wood = wood;
      this.#boxes.add(box);
    }
    this.add(this.#hemisphere, this.#sun, this.#ground, this.#rings, this.#boxes);
  }

  get sky() {
    return this.#sky;
  }

  get fog() {
    return this.#fog;
  }

  /**
   * @param {import('../state.js').AppState['theme']} theme
   * @param {boolean} isGround a bare floor, with the rings, instead of boxes
   */
  dress(theme, isGround) {
    const paint = paints[theme];
    this.#sky.set(paint.sky);
    this.#fog.color.set(paint.sky);
    this.#hemisphere.intensity = paint.light;
    this.#sun.intensity = paint.sun;
    this.#ground.material.color.set(paint.ground);
    this.#rings.material.color.set(paint.line);
    this.#rings.visible = isGround;
    this.#boxes.visible = !isGround;
    for (const box of /** @type {Mesh<BoxGeometry, MeshStandardMaterial>[]} */ (this.#boxes.children)) {
      box.material.color.set(paint.wood[box.userData.wood]);
    }
  }
}

/** A spot of shade, so that a figure stands on the ground rather than before it. */
export function createShade() {
  const material = new MeshBasicMaterial({ color: '#000000', transparent: true, opacity: 0.24, depthWrite: false });
  const shade = new Mesh(new CircleGeometry(0.42, 40), material);
  shade.rotation.x = -Math.PI / 2;
  shade.scale.y = 0.5;
  shade.position.y = 0.008;
  return shade;
}

/** Rings and a cross, white on nothing. */
function ringTexture() {
  const size = 1024;
  const canvas = new OffscreenCanvas(size, size);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.strokeStyle = '#ffffff';
  context.lineWidth = 2.5;
  for (let ring = 1; ring < 8; ring += 1) {
    context.globalAlpha = 1 - ring / 9;
    context.beginPath();
    context.arc(size / 2, size / 2, (ring * size) / 16, 0, 2 * Math.PI);
    context.stroke();
  }
  context.globalAlpha = 0.35;
  context.beginPath();
  for (let spoke = 0; spoke < 12; spoke += 1) {
    const [x, y] = [Math.cos((spoke * Math.PI) / 6), Math.sin((spoke * Math.PI) / 6)];
    context.moveTo(size / 2 + (x * size) / 16, size / 2 + (y * size) / 16);
    context.lineTo(size / 2 + x * 0.44 * size, size / 2 + y * 0.44 * size);
  }
  context.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}
