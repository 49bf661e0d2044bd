/** Milliseconds: most drivers give a lost context back within one second. */
const patience = 3000;

/**
 * Looks after a canvas that the graphics driver may take away: it mostly comes back by itself; if it does not, a notice in its place says
 * what to do.
 * @param {HTMLCanvasElement} canvas
 * @param {() => void} onRestored
 */
export function watchContext(canvas, onRestored) {
  const notice = createNotice();
  let timer = 0;
  canvas.addEventListener('webglcontextlost', () => {
    timer = window.setTimeout(() => canvas.after(notice), patience);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    clearTimeout(timer);
    notice.remove();
    onRestored();
  });
}

function createNotice() {
  const notice = document.createElement('div');
  Object.assign(notice, { className: 'card error lost', role: 'alert' });
  const [title, text, row, button] = ['h2', 'p', 'div', 'button'].map((name) => document.createElement(name));
  title.textContent = 'The graphics driver took the picture away';
  text.textContent = 'It has not come back yet. Load the page again; if that does not help, close other pages that draw a lot.';
  Object.assign(button, { type: 'button', textContent: 'Load the page again', onclick: () => location.reload() });
  row.className = 'row';
  row.append(button);
  notice.append(title, text, row);
  // A press on the button is not the stage's.
  notice.addEventListener('pointerdown', (event) => event.stopPropagation());
  return notice;
}
