import { FileError } from '../files.js';

/** Messages at the top right. They stay until they are closed, or until something opens well. */
export class Cards {
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  clear() {
    this.#element.replaceChildren();
  }

  /** @param {unknown} error */
  showError(error) {
    const { file, path, message } = error instanceof FileError ? error : { file: 'Something went wrong', path: null, message: String(error) };
    this.#add(file, path, message);
  }

  /**
   * @param {string} title
   * @param {string} text
   */
  showNote(title, text) {
    this.#add(title, null, text);
  }

  /**
   * @param {string} title
   * @param {string | null} path
   * @param {string} message
   */
  #add(title, path, message) {
    const card = document.createElement('article');
    card.className = 'card';
    card.append(line('h2', title));
    if (path !== null) {
      card.append(line('p', path, 'mono'));
    }
    // The message of a core error begins with its path, which has its own line here.
    const text = path !== null && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
    card.append(line('p', text));
    const actions = line('div', '', 'actions');
    actions.append(
      button('Copy', () => void navigator.clipboard.writeText([title, path, text].filter((each) => each !== null).join('\n'))),
      button('Close', () => card.remove()),
    );
    card.append(actions);
    this.#element.append(card);
  }
}

/**
 * @param {string} tag
 * @param {string} text
 * @param {string} [className]
 */
function line(tag, text, className = '') {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/**
 * @param {string} text
 * @param {() => void} act
 */
function button(text, act) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', act);
  return element;
}
