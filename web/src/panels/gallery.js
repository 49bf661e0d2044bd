/** The characters that come with the page, and where they lie. */
const shipped = ['kit', 'koi', 'banner', 'bar'];

/**
 * What `?rig=` means: one of ours by name, else an address.
 * @param {string | null} rig
 */
export function rigAddress(rig) {
  const known = rig === null ? shipped[0] : rig;
  return new URL(shipped.includes(known) ? `${known}/${known}.rig2d.json` : known, document.baseURI).href;
}

/** A button for each of them. */
export class Gallery {
  /**
   * @param {HTMLElement} element
   * @param {(name: string) => void} onPick
   */
  constructor(element, onPick) {
    element.replaceChildren(...shipped.map((name) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: name[0].toUpperCase() + name.slice(1) });
      button.addEventListener('click', () => onPick(name));
      return button;
    }));
    this.element = element;
  }

  /** @param {string} fileName of what is open */
  show(fileName) {
    for (const button of this.element.children) {
      button.ariaPressed = String(`${button.textContent?.toLowerCase()}.rig2d.json` === fileName);
    }
  }
}
