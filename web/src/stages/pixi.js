import { Ticker } from 'pixi.js';
import { watchContext } from './context.js';

/**
 * Makes PixiJS as large as an element, over nothing. It draws when it is told to.
 * @param {import('pixi.js').WebGLRenderer<HTMLCanvasElement>} renderer not one that PixiJS chooses: its trials make and lose a context each
 * @param {HTMLElement} element
 * @param {() => void} onRestored the canvas is there again, and empty
 */
export async function mountPixi(renderer, element, onRestored) {
  // PixiJS's housekeeping would ask for frames for ever, also while nothing is drawn.
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  await renderer.init({
    backgroundAlpha: 0, antialias: true, autoDensity: true, resolution: devicePixelRatio,
    width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight),
  });
  element.append(renderer.canvas);
  watchContext(renderer.canvas, onRestored);
}

/**
 * @param {import('pixi.js').WebGLRenderer<HTMLCanvasElement>} renderer
 * @param {import('pixi.js').Container} stage
 */
export function drawPixi(renderer, stage) {
  Ticker.system.update();
  renderer.render(stage);
}
