/** The part of gifenc that the tools use; the package brings no types, and Node sees it as one default export. */
declare module 'gifenc' {
  const gifenc: { quantize(rgba: Uint8Array, colors: number, options: { format: 'rgb565' }): number[][] };
  export default gifenc;
}
