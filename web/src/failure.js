/**
 * Tells in place of the page why there is none.
 * @param {unknown} error
 */
export function showFailure(error) {
  document.documentElement.dataset.ready = 'failed';
  const message = document.createElement('p');
  message.className = 'failure';
  message.textContent = `Marrow cannot start: ${error instanceof Error ? error.message : error}`;
  document.body.append(message);
}
