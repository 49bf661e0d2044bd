import { createMarrow } from 'marrow2d';
import { decodePng } from 'marrow2d/author';
import { GifWriter, SheetWriter, drawMoment, gifMoments, moments, planMoments } from '../../../wasm-api/js/author/moments.js';

/**
 * What is drawn, by its files.
 * @typedef {object} Source
 * @property {string} rig text
 * @property {string[]} clips texts
 * @property {Map<string, { bytes: Uint8Array, type: string }>} pictures by GUID
 *
 * What is made of it: a looping GIF, or a sheet of moments as PNG.
 * @typedef {object} Job
 * @property {'gif' | 'sheet'} kind
 * @property {string} clip by name
 * @property {number} longest pixels of a frame's longer side
 * @property {number} rate frames a second, of a GIF
 * @property {number} columns of a sheet
 * @property {number} rows
 * @property {number} background 0xRRGGBBAA
 *
 * @typedef {object} Plan
 * @property {number} width pixels of the whole picture
 * @property {number} height
 * @property {number} frames
 * @property {number} bytes about
 * @property {{ width: number, height: number, data: Uint8Array }} sample one frame
 *
 * What the page says to the worker: the source first, then what it wants of it.
 * @typedef {{ source: Source } | { id: number, job: Job, what: 'plan' | 'make' }} Question
 *
 * @typedef {{ id: number, plan: Plan } | { id: number, file: Uint8Array } | { id: number, failed: string }
 *   | { id: number, done: number, total: number }} Answer
 */

/**
 * Reads the files once more, apart from what the page shows, so that it goes on meanwhile.
 * @param {Source} source
 */
export async function openSource({ rig, clips, pictures }) {
  const marrow = await createMarrow();
  const model = marrow.loadRig2d(rig);
  clips.forEach((clip) => model.addClip(clip));
  for (const [guid, { bytes, type }] of pictures) {
    // The core's own decoder, as on the command line: the same pixels to the last bit.
    model.setImage(guid, type === 'image/png' ? decodePng(bytes) : await decode(bytes, type));
  }
  return marrow.createWorld().add(model);
}

/** @param {Uint8Array} bytes @param {string} type */
async function decode(bytes, type) {
  const bitmap = await createImageBitmap(new Blob([/** @type {BlobPart} */ (bytes)], { type }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d'));
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

/**
 * @param {import('marrow2d').Instance} hero
 * @param {Job} job
 */
function prepare(hero, { kind, clip, longest, rate, columns, rows }) {
  hero.play(clip, { loop: false });
  const duration = hero.model?.clips.find(({ name }) => name === clip)?.duration ?? 0;
  const times = kind === 'gif' ? gifMoments(duration, rate) : moments(duration, columns * rows);
  return { times, frame: planMoments(hero, times, { longest }) };
}

/** @param {Job} job @param {{ width: number, height: number }} cell */
function writerOf({ kind, rate, columns, rows }, cell) {
  return kind === 'gif' ? GifWriter.open(rate) : new SheetWriter(cell, columns, rows);
}

/**
 * How large the result will be, judged by one of its frames.
 * @param {import('marrow2d').Instance} hero
 * @param {Job} job
 * @returns {Promise<Plan>}
 */
export async function plan(hero, job) {
  const { times, frame } = prepare(hero, job);
  const sample = drawMoment(hero, times[Math.floor(times.length / 3)], frame, job.background);
  const writer = await writerOf({ ...job, columns: 1, rows: 1 }, frame);
  writer.add(sample);
  const [columns, rows] = job.kind === 'gif' ? [1, 1] : [job.columns, job.rows];
  return { width: frame.width * columns, height: frame.height * rows, frames: times.length, bytes: writer.finish().length * times.length, sample };
}

/**
 * @param {import('marrow2d').Instance} hero
 * @param {Job} job
 * @param {(done: number, total: number) => void} progress
 * @returns {Promise<Uint8Array>} the file
 */
export async function make(hero, job, progress) {
  const { times, frame } = prepare(hero, job);
  const writer = await writerOf(job, frame);
  for (const [index, time] of times.entries()) {
    writer.add(drawMoment(hero, time, frame, job.background));
    progress(index + 1, times.length);
  }
  return writer.finish();
}
