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
 * The color that a premultiplied page means: what was stored, divided by its alpha, and only then decoded. A page of bytes was filtered as
 * bytes; of an sRGB page the GPU decoded each texel before it filtered, which leaves a bright rim where alpha falls off.
 * @param {boolean} isDecoded by the GPU
 */
function premultipliedMap(isDecoded) {
  return `
  #ifdef USE_MAP
    vec4 page = texture2D( map, vMapUv );
    ${isDecoded ? 'page.rgb = mix( 1.055 * pow( page.rgb, vec3( 1.0 / 2.4 ) ) - 0.055, 12.92 * page.rgb, vec3( lessThanEqual( page.rgb, vec3( 0.0031308 ) ) ) );' : ''}
    page.rgb = page.a > 0.0 ? min( page.rgb / page.a, 1.0 ) : vec3( 0.0 );
    page.rgb = mix( pow( ( page.rgb + 0.055 ) / 1.055, vec3( 2.4 ) ), page.rgb / 12.92, vec3( lessThanEqual( page.rgb, vec3( 0.04045 ) ) ) );
    diffuseColor *= page;
  #endif
`;
}

/** The alpha test is of the picture alone, so that a rig which fades keeps its outline. */
const pictureAlphaTest = `
  #define alphaTest ( alphaTest * opacity )
  #include <alphatest_fragment>
  #undef alphaTest
`;

/** The material of one run: unlit, blended over what lies behind, depth tested but not written, so that coplanar parts do not fight. */
export class RunMaterial extends MeshBasicMaterial {
  /** @type {'' | 'straight' | 'bytes' | 'decoded'} how the page stores its colors */
  #kind = '';
  #tint = 0xffffff;
  #alphaTest = 0;

  constructor() {
    super({
      transparent: true, depthTest: true, depthWrite: false, side: DoubleSide, forceSinglePass: true, toneMapped: false,
      blending: CustomBlending, premultipliedAlpha: true,
    });
    this.blendEquation = AddEquation;
    this.blendSrcAlpha = OneFactor;
  }

  /**
   * @param {import('three').Texture} texture of the whole page. `premultiplyAlpha` says that its colors are premultiplied.
   * @param {import('../types.js').Blend} blend
   */
  setPage(texture, blend) {
    const kind = !texture.premultiplyAlpha ? 'straight' : texture.colorSpace === SRGBColorSpace ? 'decoded' : 'bytes';
    if (kind !== this.#kind) {
      this.#kind = kind;
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
    if (this.#kind !== 'straight') {
      shader.fragmentShader = shader.fragmentShader.replace('#include <map_fragment>', premultipliedMap(this.#kind === 'decoded'));
    }
  }

  customProgramCacheKey() {
    return `marrow-${this.#kind}`;
  }
}
