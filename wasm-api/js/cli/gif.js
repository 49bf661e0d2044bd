/** Frames a second. */
export const gifRate = 25;
const opaqueAbove = 127;

/**
 * An animated GIF. It has one transparent colour and no half-transparent ones.
 * @param {Iterable<{ width: number, height: number, data: Uint8Array }>} frames
 * @returns {Promise<Uint8Array>}
 */
export async function encodeGif(frames) {
  // @ts-expect-error the package has no types
  const { default: gifenc } = await import('gifenc');
  const { GIFEncoder, applyPalette, quantize } = gifenc;
  const encoder = GIFEncoder();
  for (const { width, height, data } of frames) {
    /** @type {number[][]} */
    const palette = quantize(data, 256, { format: 'rgba4444', oneBitAlpha: opaqueAbove });
    const transparentIndex = palette.findIndex((color) => color[3] === 0);
    encoder.writeFrame(applyPalette(data, palette, 'rgba4444'), width, height, {
      palette,
      delay: 1000 / gifRate,
      transparent: transparentIndex >= 0,
      transparentIndex: Math.max(0, transparentIndex),
      dispose: 2,
    });
  }
  encoder.finish();
  return encoder.bytes();
}
