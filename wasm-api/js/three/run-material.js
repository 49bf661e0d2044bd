import { AddEquation, CustomBlending, DoubleSide, DstColorFactor, MeshBasicMaterial, OneFactor, OneMinusSrcAlphaFactor,
  OneMinusSrcColorFactor, SRGBColorSpace } from 'three';
import { multiplyColors } from '../draws.js';

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

/**
 * The color of a premultiplied page holds its alpha already: what is left to multiply is the material's opacity, and fog lies on what the
 * page covers only.
 */
const premultipliedFog = `
  gl_FragColor.rgb *= opacity;
  #define fogColor ( fogColor * gl_FragColor.a )
  #include <fog_fragment>
  #undef fogColor
`;

/** The alpha test is of the picture alone, so that a rig which fades keeps its outline. */
const pictureAlphaTest = `
  #define alphaTest ( alphaTest * opacity )
  #include <alphatest_fragment>
  #undef alphaTest
`;

/** The material of one run: unlit, blended over what lies behind, depth tested but not written, so that coplanar parts do not fight. */
export class RunMaterial extends MeshBasicMaterial {
  /** @type {boolean | null} */
  #straight = null;
  #tint = 0xffffff;
  #alphaTest = 0;

  constructor() {
    super({
      transparent: true, depthTest: true, depthWrite: false, side: DoubleSide, forceSinglePass: true, toneMapped: false,
      blending: CustomBlending,
    });
    this.blendEquation = AddEquation;
    this.blendSrcAlpha = OneFactor;
  }

  /**
   * @param {import('three').Texture} texture of the whole page. `premultiplyAlpha` says that its colors are premultiplied.
   * @param {import('../types.js').Blend} blend
   */
  setPage(texture, blend) {
    // The upload multiplied, or the shader does at its end.
    const straight = !texture.premultiplyAlpha;
    if (straight !== this.#straight) {
      this.#straight = straight;
      this.premultipliedAlpha = straight;
      this.needsUpdate = true;
    }
    this.map = texture;
    [this.blendSrc, this.blendDst] = factors[blend];
    this.blendDstAlpha = blend === 'add' ? OneFactor : OneMinusSrcAlphaFactor;
  }

  /**
   * @param {import('../view.js').ShownNumbers} shown of the rig
   * @param {{ color: number, opacity: number }} draw of the run
   */
  setTint(shown, draw) {
    const color = multiplyColors(shown.color, draw.color);
    if (color !== this.#tint) {
      this.#tint = color;
      this.color.setHex(color, SRGBColorSpace);
    }
    this.opacity = shown.opacity * draw.opacity;
    // three.js looks whether the shader changes at each assignment.
    if (shown.alphaTest !== this.#alphaTest) {
      this.#alphaTest = shown.alphaTest;
      this.alphaTest = shown.alphaTest;
    }
  }

  /** @param {{ fragmentShader: string }} shader */
  onBeforeCompile(shader) {
    shader.fragmentShader = shader.fragmentShader.replace('#include <alphatest_fragment>', pictureAlphaTest);
    if (this.#straight === false) {
      shader.fragmentShader = shader.fragmentShader.replace('#include <fog_fragment>', premultipliedFog);
    }
  }

  customProgramCacheKey() {
    return this.#straight === false ? 'marrow-premultiplied' : 'marrow-straight';
  }
}
