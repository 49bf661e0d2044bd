// Looks through whole pictures beside the page. Everything else is loaded on the first message: a message that comes while a module is
// still waiting for its binary would be lost.

/** @typedef {import('./studies.js').Study | { failed: string }} Answer */

addEventListener('message', async (/** @type {MessageEvent<Blob>} */ { data: blob }) => {
  try {
    const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    const { alphaMask, guidOf } = await import('marrow2d/author');
    const { width, height } = bitmap;
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }));
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    answer({ guid: guidOf(await blob.arrayBuffer()), mask: alphaMask(context.getImageData(0, 0, width, height)) });
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : String(error) });
  }
});

/** @param {Answer} message */
function answer(message) {
  postMessage(message);
}

export {};
