import { ImageBitmapLoader, Loader, Texture } from 'three';

/**
 * What the loader makes of a `.rig2d.json`: the model and the textures of its sprites by GUID, as `RigBillboard` takes them.
 * @typedef {{ model: import('../model.js').Model, textures: Record<string, Texture> }} LoadedRig
 */

/**
 * Loads a rig with its clips and pictures.
 *
 * @example
 * const { model, textures } = await new RigLoader(marrow).loadAsync('kit.rig2d.json');
 * scene.add(new RigBillboard(world.add(model), textures));
 *
 * @extends {Loader<LoadedRig>}
 */
export class RigLoader extends Loader {
  #marrow;

  /**
   * @param {import('../index.js').Marrow} marrow
   * @param {import('three').LoadingManager} [manager]
   */
  constructor(marrow, manager) {
    super(manager);
    this.#marrow = marrow;
  }

  /**
   * @param {string} url
   * @param {(rig: LoadedRig) => void} onLoad
   * @param {(event: ProgressEvent) => void} [onProgress] never called: the files are small
   * @param {(error: unknown) => void} [onError]
   */
  load(url, onLoad, onProgress, onError) {
    const address = this.manager.resolveURL(this.path + url);
    this.manager.itemStart(address);
    this.#read(address).then(onLoad).catch((error) => {
      this.manager.itemError(address);
      if (onError === undefined) {
        console.error(error);
      } else {
        onError(error);
      }
    }).finally(() => this.manager.itemEnd(address));
  }

  /** @param {string} address */
  async #read(address) {
    const model = await this.#marrow.load(address);
    try {
      return { model, textures: await this.#readTextures(model) };
    } catch (error) {
      model.dispose();
      throw error;
    }
  }

  /** @param {import('../model.js').Model} model */
  async #readTextures(model) {
    /** @type {Map<number, Promise<Texture | null>>} */
    const pages = new Map();
    /** @type {Record<string, Texture>} */
    const textures = {};
    await Promise.all(model.sprites.map(async ({ guid, page }) => {
      const loading = pages.get(page) ?? this.#readPage(model.images[page]?.url ?? null);
      pages.set(page, loading);
      const texture = await loading;
      if (texture !== null) {
        textures[guid] = texture;
      }
    }));
    return textures;
  }

  /** @param {string | null} url */
  async #readPage(url) {
    if (url === null) {
      return null;
    }
    const images = new ImageBitmapLoader(this.manager);
    images.setOptions({ premultiplyAlpha: 'premultiply', colorSpaceConversion: 'none' });
    images.setCrossOrigin(this.crossOrigin);
    const texture = new Texture(await images.loadAsync(url));
    // Bytes, which the view decodes: an sRGB texture would be filtered too late.
    texture.flipY = false;
    texture.premultiplyAlpha = true;
    texture.needsUpdate = true;
    return texture;
  }
}
