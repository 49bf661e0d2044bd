import {
  Shader, Texture, TextureSource, colorBitGl, compileHighShaderGlProgram, localUniformBitGl, roundPixelsBitGl,
} from 'pixi.js';

/** @typedef {Texture | TextureSource} PageTexture */

/**
 * Whether this is a picture that can be drawn: one that was destroyed is none.
 * @internal
 * @param {object} value
 * @returns {value is PageTexture}
 */
export function isPageTexture(value) {
  const source = value instanceof Texture && !value.destroyed ? value.source : value;
  return source instanceof TextureSource && !source.destroyed;
}

/** @param {PageTexture} texture */
function sourceOf(texture) {
  return texture instanceof Texture ? texture.source : texture;
}

/**
 * The whole page at its page-space uvs. A straight page is multiplied by its alpha here, so that the blend modes for premultiplied color
 * hold for it as well: PixiJS has none that takes a straight color with a tint of opacity below 1.
 */
const pageBit = {
  name: 'marrow-page-bit',
  fragment: {
    header: 'uniform sampler2D uTexture; uniform float uStraight;',
    main: 'outColor = texture(uTexture, vUV); outColor.rgb *= mix(1.0, outColor.a, uStraight);',
  },
};

/** @type {Map<boolean, import('pixi.js').GlProgram>} */
const programs = new Map();

/** @param {boolean} colored whether each vertex has a color */
function programOf(colored) {
  let program = programs.get(colored);
  if (program === undefined) {
    const bits = [localUniformBitGl, pageBit, roundPixelsBitGl];
    program = compileHighShaderGlProgram({ name: 'marrow', bits: colored ? [colorBitGl, ...bits] : bits });
    programs.set(colored, program);
  }
  return program;
}

/** What a view made to show pages: for each, a texture of the whole and, where PixiJS's own mesh shader will not do, a shader. */
export class Pages {
  #colored;
  #onGone;
  /** @type {Map<TextureSource, { texture: Texture, shader: Shader | null }>} */
  #pages = new Map();

  /**
   * @param {boolean} colored whether each vertex has a color
   * @param {() => void} onGone is called when a page was destroyed that a mesh may show
   */
  constructor(colored, onGone) {
    this.#colored = colored;
    this.#onGone = onGone;
  }

  /**
   * @param {import('./buffers.js').RunMesh} mesh
   * @param {PageTexture} texture
   */
  apply(mesh, texture) {
    const page = this.#page(sourceOf(texture));
    mesh.shader = page.shader;
    // PixiJS chooses the blend function by the texture; the shader's colors are premultiplied whatever the page's are.
    mesh.texture = page.shader === null ? page.texture : Texture.WHITE;
  }

  /** @param {import('./buffers.js').RunMesh} mesh that shows nothing any more */
  static clear(mesh) {
    mesh.shader = null;
    mesh.texture = Texture.WHITE;
  }

  destroy() {
    for (const source of this.#pages.keys()) {
      this.#remove(source);
    }
  }

  /** @param {TextureSource} source */
  #remove(source) {
    const page = this.#pages.get(source);
    this.#pages.delete(source);
    source.off('destroy', this.#lose, this);
    page?.shader?.destroy();
    page?.texture.destroy(false);
  }

  /** @param {TextureSource} source */
  #lose(source) {
    this.#onGone();
    this.#remove(source);
  }

  /** @param {TextureSource} source */
  #page(source) {
    let page = this.#pages.get(source);
    if (page === undefined) {
      const straight = source.alphaMode === 'no-premultiply-alpha';
      page = { texture: new Texture({ source }), shader: straight || this.#colored ? this.#shader(source, straight) : null };
      this.#pages.set(source, page);
      source.on('destroy', this.#lose, this);
    }
    return page;
  }

  /**
   * @param {TextureSource} source
   * @param {boolean} straight
   */
  #shader(source, straight) {
    return new Shader({
      glProgram: programOf(this.#colored),
      resources: {
        uTexture: source,
        uSampler: source.style,
        pageUniforms: { uStraight: { type: 'f32', value: Number(straight) } },
      },
    });
  }
}
