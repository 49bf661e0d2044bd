import { ExtensionType, LoaderParserPriority } from 'pixi.js';

/**
 * What the loader makes of a `.rig2d.json`: the model and the textures of its sprites by GUID, as `RigView` and `CrowdView` take them.
 * @typedef {{ model: import('../model.js').Model, textures: Record<string, import('pixi.js').Texture> }} LoadedRig
 */

/**
 * Teaches PixiJS's `Assets` to load rigs with their clips and pictures.
 *
 * @example
 * extensions.add(marrowLoader(marrow));
 * const { model, textures } = await Assets.load('kit.rig2d.json');
 * app.stage.addChild(new RigView(world.add(model), textures));
 *
 * @param {import('../index.js').Marrow} marrow
 */
export function marrowLoader(marrow) {
  return {
    extension: { type: ExtensionType.LoadParser, priority: LoaderParserPriority.High, name: 'marrow' },
    id: 'marrow',

    /** @param {string} url */
    test(url) {
      return /\.rig2d\.json$/i.test(url.split(/[?#]/)[0]);
    },

    /**
     * @param {string} url
     * @param {{ data?: import('../types.js').LoadOptions }} [asset] `data`: options of `marrow.load`
     * @param {import('pixi.js').Loader} [loader]
     * @returns {Promise<LoadedRig>}
     */
    async load(url, asset, loader) {
      const model = await marrow.load(url, asset?.data);
      /** @type {Record<string, import('pixi.js').Texture>} */
      const textures = {};
      try {
        await Promise.all(model.sprites.map(async ({ guid, page }) => {
          const image = model.images[page]?.url;
          if (image && loader) {
            textures[guid] = await loader.load(image);
          }
        }));
      } catch (error) {
        model.dispose();
        throw error;
      }
      return { model, textures };
    },

    /**
     * @param {LoadedRig} rig
     * @param {unknown} [asset]
     * @param {import('pixi.js').Loader} [loader]
     */
    async unload({ model }, asset, loader) {
      const pages = new Set(model.images.map((image) => image?.url));
      model.dispose();
      for (const page of pages) {
        if (page && loader) {
          await loader.unload(page);
        }
      }
    },
  };
}
