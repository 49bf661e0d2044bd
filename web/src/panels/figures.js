const span = 60;

/** The last values of something measured once a frame. */
class Samples {
  /** @type {number[]} */
  #values = [];
  #next = 0;

  /** @param {number} value */
  add(value) {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % span;
  }

  get median() {
    return this.#values.toSorted((a, b) => a - b)[this.#values.length >> 1] ?? 0;
  }
}

/** @typedef {{ core: number, pixi: number, three: number, uploaded: number }} Frame milliseconds, and bytes */

/** What a frame costs, and what the rig is. */
export class Figures {
  #samples = { core: new Samples(), pixi: new Samples(), three: new Samples() };
  #element;
  /** @type {Map<string, HTMLElement>} */
  #fields = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
    this.#list('Frame', ['Core', 'PixiJS', 'three.js', 'Vertices written', 'Uploaded', 'Version']);
    this.#list('Rig', ['Vertices', 'Triangles', 'Bones', 'Parts', 'Runs', 'Influences', 'Model']);
    this.#list('Memory', ['WebAssembly', 'JS heap']);
  }

  /** @param {Frame} frame */
  add({ core, pixi, three }) {
    this.#samples.core.add(core);
    this.#samples.pixi.add(pixi);
    this.#samples.three.add(three);
  }

  /**
   * @param {import('../workspace.js').Workspace} workspace
   * @param {import('../workspace.js').Scene} scene
   * @param {Frame} frame
   */
  show({ marrow, world }, { hero, model }, { uploaded }) {
    this.#set('Core', milliseconds(this.#samples.core.median));
    this.#set('PixiJS', milliseconds(this.#samples.pixi.median));
    this.#set('three.js', milliseconds(this.#samples.three.median));
    this.#set('Vertices written', String(world.verticesWritten));
    this.#set('Uploaded', bytes(uploaded));
    this.#set('Version', String(hero.version));
    this.#set('Vertices', String(model.parts.reduce((sum, { vertexCount }) => sum + vertexCount, 0)));
    this.#set('Triangles', String(model.parts.reduce((sum, { triangleCount }) => sum + triangleCount, 0)));
    this.#set('Bones', String(model.bones.length));
    this.#set('Parts', String(model.parts.length));
    this.#set('Runs', String(hero.runs.length));
    this.#set('Influences', `≤ ${model.parts.reduce((most, { maxInfluences }) => Math.max(most, maxInfluences), 0)} a vertex`);
    this.#set('Model', bytes(model.describe().memory));
    this.#set('WebAssembly', bytes(marrow.memory.size));
    const { memory } = /** @type {{ memory?: { usedJSHeapSize: number } }} */ (performance);
    this.#set('JS heap', memory === undefined ? '–' : bytes(memory.usedJSHeapSize));
  }

  /**
   * @param {string} title
   * @param {string[]} names
   */
  #list(title, names) {
    const heading = document.createElement('h2');
    heading.textContent = title;
    const list = document.createElement('dl');
    for (const name of names) {
      const term = document.createElement('dt');
      term.textContent = name;
      const field = document.createElement('dd');
      field.dataset.figure = name;
      list.append(term, field);
      this.#fields.set(name, field);
    }
    this.#element.append(heading, list);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #set(name, text) {
    const field = /** @type {HTMLElement} */ (this.#fields.get(name));
    if (field.textContent !== text) {
      field.textContent = text;
    }
  }
}

/** @param {number} value */
function milliseconds(value) {
  return `${value.toFixed(2)} ms`;
}

/** @param {number} value */
function bytes(value) {
  if (value < 1024) {
    return `${value} B`;
  }
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} kB` : `${(value / 1024 / 1024).toFixed(1)} MB`;
}
