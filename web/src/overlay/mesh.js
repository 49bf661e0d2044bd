import { boneColors, heatStops, meshColors } from './colors.js';
import { listEdges } from './edges.js';

/** @typedef {import('marrow2d').Instance} Instance */

const vertexShader = `#version 300 es
uniform mat3 plane;
uniform highp int mode;
in vec2 position;
in vec2 uv;
in float weight;
in vec4 category;
out vec2 place;
out float heat;
flat out vec4 tint;
void main() {
  vec3 seen = plane * vec3(position, 1.0);
  gl_Position = mode == 3 ? vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0.0, 1.0) : vec4(seen.xy, 0.0, seen.z);
  place = uv;
  heat = weight;
  tint = category;
}`;

const fragmentShader = `#version 300 es
precision highp float;
uniform highp int mode;
uniform vec4 line;
uniform float cover;
uniform vec4 colors[5];
uniform float places[5];
uniform sampler2D art;
in vec2 place;
in float heat;
flat in vec4 tint;
out vec4 color;
vec4 ramp(float at) {
  vec4 found = colors[0];
  for (int stop = 1; stop < 5; stop += 1) {
    found = mix(found, colors[stop], clamp((at - places[stop - 1]) / (places[stop] - places[stop - 1]), 0.0, 1.0));
  }
  return found;
}
void main() {
  color = mode == 3 ? vec4(cover) : mode == 2 ? line : (mode == 0 ? ramp(heat) : tint) * texture(art, place).a;
}`;

/** `thin` makes all that was drawn before see-through. */
const modes = { weights: 0, dominant: 1, wireframe: 2, thin: 3 };
const [positionAt, uvAt, weightAt, categoryAt] = [0, 1, 2, 3];

/**
 * The triangles of a figure over the stage: lines, the weights of a bone, or the bone that moves each part of it most; the last two only
 * where there is art. Positions come straight from the core's memory, on to the GPU; nothing else moves from frame to frame.
 */
export class MeshLayer {
  canvas = document.createElement('canvas');
  #gl;
  /** @type {ReturnType<typeof createObjects> | null} null while the context is lost */
  #objects = null;
  /** @type {Instance | null} */
  #hero = null;
  /** @type {ReturnType<typeof listEdges>} */
  #edges = { vertices: new Uint32Array(0), offsets: new Uint32Array(1) };
  #categories = new Uint8Array(0);
  /** @type {Float32Array | null} */
  #weights = null;
  /** Pictures of the pages, null where there is none.
   *  @type {readonly (ImageBitmap | null)[]} */
  #pictures = [];
  #uploadedVersion = -1;
  #uploadedStructure = -1;
  #plane = new Float32Array(9);

  /** @param {() => void} onRestore what was drawn is gone */
  constructor(onRestore) {
    const gl = this.canvas.getContext('webgl2', { alpha: true, antialias: true, depth: false, premultipliedAlpha: true });
    if (gl === null) {
      throw new Error('this browser has no WebGL 2');
    }
    this.#gl = gl;
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#objects = null;
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#build();
      onRestore();
    });
    this.#build();
  }

  /**
   * @param {Instance} hero
   * @param {Uint32Array} dominants the bone that moves each vertex most
   * @param {readonly number[]} colors of the bones, among those of colors.js
   * @param {readonly (ImageBitmap | null)[]} pictures by page
   */
  show(hero, dominants, colors, pictures) {
    this.#hero = hero;
    this.#pictures = pictures;
    this.#edges = listEdges(hero.indices, hero.vertexCount);
    this.#categories = new Uint8Array(hero.vertexCount * 4);
    dominants.forEach((bone, vertex) => this.#categories.set(boneColors[colors[bone] ?? 0].bytes, vertex * 4));
    this.#weights = null;
    this.#fill();
  }

  /** @param {Float32Array | null} weights of the selected bone, at each vertex; null: none is selected */
  setWeights(weights) {
    this.#weights = weights;
    this.#fillWeights();
  }

  /**
   * @param {Float64Array} homography
   * @param {number} width CSS pixels
   * @param {number} height
   * @param {readonly string[]} overlay what to draw
   */
  draw(homography, width, height, overlay) {
    const gl = this.#gl;
    const hero = this.#hero;
    const objects = this.#objects;
    if (hero === null || objects === null) {
      return;
    }
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (hero.version !== this.#uploadedVersion) {
      gl.bindBuffer(gl.ARRAY_BUFFER, objects.positions);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, hero.positions);
      this.#uploadedVersion = hero.version;
    }
    if (hero.structureVersion !== this.#uploadedStructure) {
      // A part may wear another sprite of its page.
      gl.bindBuffer(gl.ARRAY_BUFFER, objects.uvs);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, hero.uvs);
      this.#uploadedStructure = hero.structureVersion;
    }
    toClipSpace(homography, width, height, this.#plane);
    gl.uniformMatrix3fv(objects.plane, false, this.#plane);
    if (overlay.includes('dominant')) {
      this.#drawRuns(hero, objects, 'dominant');
      this.#thin(objects);
    }
    if (overlay.includes('weights') && this.#weights !== null) {
      this.#drawRuns(hero, objects, 'weights');
    }
    if (overlay.includes('wireframe')) {
      this.#drawRuns(hero, objects, 'wireframe');
    }
  }

  /**
   * The map of strongest bones was drawn opaque, so that a part hides what lies behind it. Now the art shows through.
   * @param {NonNullable<ReturnType<typeof createObjects>>} objects
   */
  #thin(objects) {
    const gl = this.#gl;
    gl.bindVertexArray(objects.whole);
    gl.uniform1i(objects.mode, modes.thin);
    gl.blendFunc(gl.ZERO, gl.SRC_ALPHA);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /**
   * @param {Instance} hero
   * @param {NonNullable<ReturnType<typeof createObjects>>} objects
   * @param {'dominant' | 'weights' | 'wireframe'} mode
   */
  #drawRuns({ runs }, objects, mode) {
    const gl = this.#gl;
    const { offsets } = this.#edges;
    const isLines = mode === 'wireframe';
    gl.uniform1i(objects.mode, modes[mode]);
    gl.bindVertexArray(isLines ? objects.lines : objects.faces);
    for (let index = 0; index < runs.length; index += 1) {
      const { firstIndex, indexCount, page } = runs[index];
      if (isLines) {
        const from = offsets[firstIndex / 3];
        gl.drawElements(gl.LINES, 2 * (offsets[(firstIndex + indexCount) / 3] - from), gl.UNSIGNED_INT, 8 * from);
      } else {
        gl.bindTexture(gl.TEXTURE_2D, objects.pages[page] ?? objects.blank);
        gl.drawElements(gl.TRIANGLES, indexCount, gl.UNSIGNED_INT, 4 * firstIndex);
      }
    }
  }

  #build() {
    this.#objects = createObjects(this.#gl);
    this.#fill();
  }

  /** All buffers anew. */
  #fill() {
    const gl = this.#gl;
    const hero = this.#hero;
    const objects = this.#objects;
    if (hero === null || hero.isDisposed || objects === null) {
      return;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, objects.positions);
    gl.bufferData(gl.ARRAY_BUFFER, hero.positions, gl.DYNAMIC_DRAW);
    this.#uploadedVersion = hero.version;
    gl.bindBuffer(gl.ARRAY_BUFFER, objects.uvs);
    gl.bufferData(gl.ARRAY_BUFFER, hero.uvs, gl.DYNAMIC_DRAW);
    this.#uploadedStructure = hero.structureVersion;
    gl.bindBuffer(gl.ARRAY_BUFFER, objects.categories);
    gl.bufferData(gl.ARRAY_BUFFER, this.#categories, gl.STATIC_DRAW);
    this.#fillWeights();
    gl.bindVertexArray(objects.faces);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, firstCornerLast(hero.indices), gl.STATIC_DRAW);
    gl.bindVertexArray(objects.lines);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.#edges.vertices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    for (const texture of objects.pages) {
      gl.deleteTexture(texture);
    }
    objects.pages = this.#pictures.map((picture) => (picture === null ? null : createTexture(gl, picture)));
  }

  #fillWeights() {
    if (this.#objects !== null && this.#hero !== null && !this.#hero.isDisposed) {
      const gl = this.#gl;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#objects.weights);
      gl.bufferData(gl.ARRAY_BUFFER, this.#weights ?? new Float32Array(this.#hero.vertexCount), gl.STATIC_DRAW);
    }
  }
}

/**
 * From the rig's plane to clip space, column by column.
 * @param {Float64Array} h to CSS pixels, row by row
 * @param {number} width CSS pixels
 * @param {number} height
 * @param {Float32Array} out
 */
function toClipSpace(h, width, height, out) {
  for (let column = 0; column < 3; column += 1) {
    out[3 * column] = (2 * h[column]) / width - h[6 + column];
    out[3 * column + 1] = h[6 + column] - (2 * h[3 + column]) / height;
    out[3 * column + 2] = h[6 + column];
  }
}

/**
 * The flat color of a triangle is that of its last corner on the GPU; the strongest bone of a triangle is that of its first.
 * @param {Uint32Array} indices
 */
function firstCornerLast(indices) {
  return indices.map((_, at) => indices[at % 3 === 2 ? at - 2 : at + 1]);
}

/**
 * @param {WebGL2RenderingContext} gl
 * @param {ImageBitmap | ImageData} picture
 */
function createTexture(gl, picture) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/**
 * @param {WebGL2RenderingContext} gl
 */
function createObjects(gl) {
  const program = link(gl);
  if (program === null) {
    return null;
  }
  const positions = gl.createBuffer();
  const uvs = gl.createBuffer();
  const weights = gl.createBuffer();
  const categories = gl.createBuffer();
  const objects = {
    positions, uvs, weights, categories,
    /** @type {(WebGLTexture | null)[]} */
    pages: [],
    blank: createTexture(gl, new ImageData(new Uint8ClampedArray([255, 255, 255, 255]), 1, 1)),
    faces: gl.createVertexArray(), lines: gl.createVertexArray(), whole: gl.createVertexArray(),
    plane: gl.getUniformLocation(program, 'plane'), mode: gl.getUniformLocation(program, 'mode'),
  };
  for (const array of [objects.faces, objects.lines]) {
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bindBuffer(gl.ARRAY_BUFFER, positions);
    gl.vertexAttribPointer(positionAt, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, uvs);
    gl.vertexAttribPointer(uvAt, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, weights);
    gl.vertexAttribPointer(weightAt, 1, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, categories);
    gl.vertexAttribPointer(categoryAt, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    for (const attribute of [positionAt, uvAt, weightAt, categoryAt]) {
      gl.enableVertexAttribArray(attribute);
    }
  }
  gl.bindVertexArray(null);
  gl.useProgram(program);
  gl.uniform4fv(gl.getUniformLocation(program, 'line'), meshColors.line);
  gl.uniform1f(gl.getUniformLocation(program, 'cover'), meshColors.cover);
  gl.uniform4fv(gl.getUniformLocation(program, 'colors'), heatStops.flatMap(({ color }) => color));
  gl.uniform1fv(gl.getUniformLocation(program, 'places'), heatStops.map(({ place }) => place));
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.clearColor(0, 0, 0, 0);
  return objects;
}

/**
 * @param {WebGL2RenderingContext} gl
 * @returns {WebGLProgram | null} null: the context was lost meanwhile
 */
function link(gl) {
  const program = gl.createProgram();
  for (const [type, source] of /** @type {const} */ ([[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]])) {
    const shader = gl.createShader(type);
    if (shader === null) {
      return null;
    }
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, positionAt, 'position');
  gl.bindAttribLocation(program, uvAt, 'uv');
  gl.bindAttribLocation(program, weightAt, 'weight');
  gl.bindAttribLocation(program, categoryAt, 'category');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`the overlay's shaders do not link: ${gl.getProgramInfoLog(program)}`);
  }
  return gl.isContextLost() ? null : program;
}
