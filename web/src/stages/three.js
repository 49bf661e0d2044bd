import {
  AmbientLight, BoxGeometry, CircleGeometry, Color, DirectionalLight, Fog, Mesh, MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera,
  Scene, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RigBillboard, orientRigs } from 'marrow2d/three';

/** World units that the larger side of a rig takes. */
const rigSize = 1.7;

/** Where each way of standing in the world is shown. */
/** @type {{ mode: 'cylindrical' | 'spherical' | 'flat', position: [number, number, number] }[]} */
const places = [
  { mode: 'cylindrical', position: [-1.15, 0, -0.3] },
  { mode: 'spherical', position: [1.15, 0, -0.3] },
  { mode: 'flat', position: [0, 0.012, 1.3] },
];

/** The 2.5D stage: a small warm set that the rig stands in, on, and behind. */
export class ThreeStage {
  #element;
  #renderer = new WebGLRenderer({ antialias: true });
  #scene = new Scene();
  #camera = new PerspectiveCamera(38, 1, 0.1, 60);
  #controls;
  /** @type {RigBillboard[]} */
  #views = [];
  #needsRender = true;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#controls = new OrbitControls(this.#camera, this.#renderer.domElement);
  }

  mount() {
    this.#renderer.setPixelRatio(devicePixelRatio);
    this.#element.append(this.#renderer.domElement);
    this.#furnish();
    this.#camera.position.set(0, 2, 5.6);
    this.#controls.target.set(0, 0.75, 0);
    this.#controls.maxPolarAngle = Math.PI / 2 - 0.03;
    this.#controls.minDistance = 2;
    this.#controls.maxDistance = 14;
    this.#controls.addEventListener('change', () => {
      this.#needsRender = true;
    });
    this.#controls.update();
    this.#renderer.domElement.addEventListener('webglcontextrestored', () => {
      this.#needsRender = true;
    });
    new ResizeObserver(() => this.#resize()).observe(this.#element);
    this.#resize();
  }

  /** @param {import('../workspace.js').Scene} scene */
  show({ hero, pictures }) {
    for (const view of this.#views) {
      view.dispose();
    }
    const textures = Object.fromEntries([...pictures].map(([guid, { texture }]) => [guid, texture]));
    const { minX, minY, maxX, maxY } = hero.bindBounds;
    const pixelsPerUnit = Math.max(1, maxX - minX, maxY - minY) / rigSize;
    this.#views = places.map(({ mode, position }) => {
      const view = new RigBillboard(hero, textures, { mode, pixelsPerUnit, anchor: 'bottom' });
      view.position.set(...position);
      if (mode === 'flat') {
        // It lies about its pivot, which may be at its feet: here its middle counts.
        view.position.x -= (minX + maxX) / 2 / pixelsPerUnit;
        view.position.z -= (minY + maxY) / 2 / pixelsPerUnit;
      }
      this.#scene.add(view);
      return view;
    });
    this.#needsRender = true;
  }

  get uploadedBytes() {
    return this.#views.reduce((sum, { uploadedBytes }) => sum + uploadedBytes, 0);
  }

  /** Draws if there is anything new to see. Returns whether it did. */
  update() {
    for (const view of this.#views) {
      this.#needsRender = view.sync() || this.#needsRender;
    }
    if (!this.#needsRender) {
      return false;
    }
    this.#needsRender = false;
    orientRigs(this.#views, this.#camera);
    this.#renderer.render(this.#scene, this.#camera);
    return true;
  }

  #furnish() {
    const sky = new Color('#2b2622');
    this.#scene.background = sky;
    this.#scene.fog = new Fog(sky, 7, 16);
    this.#scene.add(new AmbientLight('#ffe9d2', 1.3));
    const sun = new DirectionalLight('#ffd9b0', 2.2);
    sun.position.set(-2, 4, 3);
    this.#scene.add(sun);
    const ground = new Mesh(new CircleGeometry(14, 64), new MeshStandardMaterial({ color: '#6d5b49', roughness: 1 }));
    ground.rotation.x = -Math.PI / 2;
    this.#scene.add(ground);
    this.#addBox([-0.62, 0.3, 0.35], [0.6, 0.6, 0.5], '#a5714a');
    this.#addBox([2.05, 0.45, -1.3], [0.9, 0.9, 0.9], '#8a6a52');
    this.#addBox([-2.35, 0.6, -1.7], [0.8, 1.2, 0.8], '#7b6350');
    for (const { mode, position: [x, , z] } of places) {
      if (mode !== 'flat') {
        this.#addShade(x, z);
      }
    }
  }

  /**
   * @param {[number, number, number]} position
   * @param {[number, number, number]} size
   * @param {string} color
   */
  #addBox(position, size, color) {
    const box = new Mesh(new BoxGeometry(...size), new MeshStandardMaterial({ color, roughness: 0.9 }));
    box.position.set(...position);
    this.#scene.add(box);
  }

  /**
   * A spot of shade, so that a rig stands on the ground rather than before it.
   * @param {number} x
   * @param {number} z
   */
  #addShade(x, z) {
    const material = new MeshBasicMaterial({ color: '#000000', transparent: true, opacity: 0.22, depthWrite: false });
    const shade = new Mesh(new CircleGeometry(0.42, 40), material);
    shade.rotation.x = -Math.PI / 2;
    shade.scale.y = 0.55;
    shade.position.set(x, 0.006, z);
    this.#scene.add(shade);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#element;
    if (clientWidth > 0 && clientHeight > 0) {
      this.#renderer.setSize(clientWidth, clientHeight);
      this.#camera.aspect = clientWidth / clientHeight;
      // The three rigs stay in sight however narrow the stage is.
      this.#camera.fov = Math.min(75, 38 * Math.max(1, 0.95 / this.#camera.aspect));
      this.#camera.updateProjectionMatrix();
      this.#needsRender = true;
    }
  }
}
