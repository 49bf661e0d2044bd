const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  Object.assign(globalThis, { answer: data });
  document.documentElement.dataset.ready = '';
};
