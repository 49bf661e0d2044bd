import { Ticker } from 'pixi.js';
import { watchContext } from './context.js';

/**
 * Makes PixiJS as large as an element, over nothing. It draws when it is told to.
 * @param {import('pixi.js').Application} app
 * @param {HTMLElement} element
 * @param {() => void} onRestored the canvas is there again, and empty
 */
export async function mountPixi(app, element, onRestored) {
  // PixiJS's housekeeping would ask for frames for ever, also while nothing is drawn.
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  await app.init({
    preference: 'webgl', autoStart: false, backgroundAlpha: 0, antialias: true, autoDensity: true, resolution: devicePixelRatio,
    width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight),
  });
  element.append(app.canvas);
  watchContext(app.canvas, onRestored);
}

/** @param {import('pixi.js').Application} app */
export function drawPixi(app) {
  Ticker.system.update();
  app.render();
}
