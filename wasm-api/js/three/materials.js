import { CustomBlending, AddEquation, DoubleSide, DstColorFactor, MeshBasicMaterial, OneFactor, OneMinusSrcAlphaFactor,
  OneMinusSrcColorFactor, SRGBColorSpace } from 'three';

/**
 * Source and destination factors for premultiplied color, by blend mode.
 * @type {Record<import('../types.js').Blend, [import('three').BlendingSrcFactor, import('three').BlendingDstFactor]>}
 */
const factors = {
  normal: [OneFactor, OneMinusSrcAlphaFactor],
  add: [OneFactor, OneFactor],
  multiply: [DstColorFactor, OneMinusSrcAlphaFactor],
  screen: [OneFactor, OneMinusSrcColorFactor],
};

/** The material of one run: unlit, blended over what lies behind, depth tested but not written, so that coplanar parts do not fight. */
export function runMaterial() {
  const material = new MeshBasicMaterial({
    transparent: true, depthTest: true, depthWrite: false, side: DoubleSide, forceSinglePass: true, toneMapped: false,
    blending: CustomBlending,
  });
  material.blendEquation = AddEquation;
  material.blendSrcAlpha = OneFactor;
  return material;
}

/**
 * @param {MeshBasicMaterial} material
 * @param {import('three').Texture} texture of the whole page. `premultiplyAlpha` says that its colors are premultiplied.
 * @param {import('../types.js').Blend} blend
 */
export function setPage(material, texture, blend) {
  // One of both multiplies: the upload, or the shader.
  const premultiplied = texture.premultiplyAlpha;
  if (material.map === null || material.premultipliedAlpha === premultiplied) {
    material.premultipliedAlpha = !premultiplied;
    material.needsUpdate = true;
  }
  material.map = texture;
  [material.blendSrc, material.blendDst] = factors[blend];
  material.blendDstAlpha = blend === 'add' ? OneFactor : OneMinusSrcAlphaFactor;
}

/**
 * Tint and opacity. Where the page is premultiplied nothing else multiplies the color by the opacity, so it is done here.
 * @param {MeshBasicMaterial} material
 * @param {number} color 0xRRGGBB
 * @param {number} opacity
 * @param {number} alphaTest of the picture alone: a rig that fades keeps its outline
 */
export function setTint(material, color, opacity, alphaTest) {
  const strength = material.premultipliedAlpha ? 1 : opacity;
  material.color.setRGB(((color >> 16) & 255) / 255 * strength, ((color >> 8) & 255) / 255 * strength, (color & 255) / 255 * strength,
    SRGBColorSpace);
  material.opacity = opacity;
  // Zero would compile another shader, in the middle of a fade.
  material.alphaTest = alphaTest > 0 ? Math.max(alphaTest * opacity, 1e-6) : 0;
}
