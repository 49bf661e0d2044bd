import { MarrowError, argumentError, checkType, named } from '../errors.js';
import { fileBytes } from '../heap.js';
import { authorHeap } from './core.js';
import { WARNING } from './layout.js';

/** @typedef {import('./data.js').FileRig} FileRig */

/**
 * The document that the last call made.
 * @internal
 * @param {import('../heap.js').Heap} heap
 */
export function takeDocument(heap) {
  return heap.word(0);
}

/**
 * Its canonical text; the document is released.
 * @internal
 * @param {import('../heap.js').Heap} heap
 * @param {number} document
 */
export function writeDocument(heap, document) {
  try {
    heap.check(heap.calls.document_write(document));
    return heap.takeOutText();
  } finally {
    heap.calls.document_release(document);
  }
}

/**
 * @internal
 * @param {import('../heap.js').Heap} heap
 * @param {'rig2d' | 'anim'} kind
 * @param {Uint8Array} bytes
 * @param {boolean} strict
 */
export function readDocument(heap, kind, bytes, strict) {
  const read = kind === 'rig2d' ? heap.calls.document_read_rig2d : heap.calls.document_read_anim;
  heap.borrow(() => heap.check(read(heap.copyFileIn(bytes), bytes.length, Number(strict))));
  return takeDocument(heap);
}

/**
 * Reads a file and writes it in canonical form: repaired, members that the format does not know kept.
 * @param {'rig2d' | 'anim'} kind
 * @param {string | ArrayBuffer | ArrayBufferView} source
 * @param {{ strict?: boolean }} [options]
 * @returns {{ text: string, warnings: import('../types.js').WarningData[] }}
 */
export function canonical(kind, source, { strict = false } = {}) {
  if (kind !== 'rig2d' && kind !== 'anim') {
    throw argumentError('canonical', `${named(kind)} is no kind of file (rig2d, anim)`);
  }
  checkType('canonical: strict', strict, 'boolean');
  const heap = authorHeap();
  const document = readDocument(heap, kind, fileBytes(source), strict);
  const count = heap.calls.document_warnings(document);
  const list = heap.word(0);
  const warnings = Array.from({ length: count }, (_, index) => {
    const at = list + index * WARNING.size;
    return {
      code: heap.text(heap.calls.result_name(heap.u32[(at + WARNING.code) >>> 2])),
      path: heap.text(heap.u32[(at + WARNING.path) >>> 2]),
      message: heap.text(heap.u32[(at + WARNING.message) >>> 2]),
    };
  });
  return { text: writeDocument(heap, document), warnings };
}

/**
 * Changes a copy of a rig through the core.
 * @internal
 * @param {FileRig} rig
 * @param {(heap: import('../heap.js').Heap, document: number) => boolean} change false: it was refused
 * @returns {FileRig} the same object when it was refused
 */
export function changeRig(rig, change) {
  checkType('edit', rig, 'object');
  const heap = authorHeap();
  const document = readDocument(heap, 'rig2d', fileBytes(JSON.stringify(rig)), false);
  let changed = false;
  try {
    changed = change(heap, document);
  } finally {
    if (!changed) {
      heap.calls.document_release(document);
    }
  }
  return changed ? JSON.parse(writeDocument(heap, document)) : rig;
}

/**
 * A prefab of a rig: an entity that shows it, and one entity a bone below.
 * @param {FileRig} rig with an `id`
 * @param {{ name: string, guid: string }} options name and GUID of the prefab
 * @returns {object}
 */
export function prefab(rig, { name, guid }) {
  checkType('prefab', rig, 'object');
  if (typeof rig.id !== 'string') {
    throw new MarrowError('BAD_REFERENCE', 'the rig has no "id", by which a prefab names it', { path: '$.id' });
  }
  const heap = authorHeap();
  const document = readDocument(heap, 'rig2d', fileBytes(JSON.stringify(rig)), false);
  try {
    heap.borrow(() => heap.check(heap.calls.author_prefab(document, heap.takeText(name), heap.takeText(guid))));
    return JSON.parse(heap.takeOutText());
  } finally {
    heap.calls.document_release(document);
  }
}
