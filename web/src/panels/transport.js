const playIcon = 'M4.5 2.5v11l9-5.5z';
const pauseIcon = 'M5 3v10M11 3v10';

/** Clips, play and pause, and the time. */
export class Transport {
  #play = document.createElement('button');
  #clips = document.createElement('div');
  #time = document.createElement('input');
  #output = document.createElement('output');
  #element;
  /** @type {import('../workspace.js').Scene | null} */
  #scene = null;

  /**
   * @param {HTMLElement} element
   * @param {{ onToggle: () => void, onClip: (name: string) => void, onSeek: (time: number) => void }} actions
   */
  constructor(element, { onToggle, onClip, onSeek }) {
    this.#play.type = 'button';
    this.#play.className = 'icon';
    this.#play.addEventListener('click', onToggle);
    this.#clips.className = 'clips';
    this.#clips.addEventListener('click', (event) => {
      const name = event.target instanceof HTMLButtonElement ? event.target.dataset.clip : undefined;
      if (name !== undefined) {
        onClip(name);
      }
    });
    Object.assign(this.#time, { type: 'range', min: '0', step: 'any', ariaLabel: 'Time' });
    this.#time.addEventListener('input', () => onSeek(this.#time.valueAsNumber));
    this.#element = element;
  }

  /**
   * The clips of what is open now.
   * @param {import('../workspace.js').Scene} scene
   */
  show(scene) {
    this.#scene = scene;
    this.#element.replaceChildren(this.#play, this.#clips, this.#time, this.#output);
    this.#clips.replaceChildren(...scene.model.clips.map(({ name }) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: name });
      button.dataset.clip = name;
      return button;
    }));
    this.update();
  }

  /** Once a frame. Touches the page only where something changed. */
  update() {
    if (this.#scene === null) {
      return;
    }
    const { hero, model } = this.#scene;
    const state = hero.playing ? 'Pause' : 'Play';
    if (this.#play.ariaLabel !== state) {
      this.#play.ariaLabel = state;
      this.#play.title = `${state} (Space)`;
      this.#play.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${hero.playing ? pauseIcon : playIcon}"/></svg>`;
    }
    for (const button of this.#clips.children) {
      button.ariaPressed = String(/** @type {HTMLElement} */ (button).dataset.clip === hero.clip);
    }
    const duration = model.clips.find(({ name }) => name === hero.clip)?.duration ?? 0;
    const text = `${hero.time.toFixed(2)} / ${duration.toFixed(2)} s`;
    if (this.#output.textContent !== text) {
      this.#output.textContent = text;
      this.#time.max = String(duration);
      this.#time.valueAsNumber = hero.time;
    }
  }
}
