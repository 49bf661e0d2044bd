// What TypeScript writes as declarations, made fit to be packed.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The declarations that programs can reach from the given ones, through whatever imports and exports what.
 * @param {string[]} entries files
 * @returns {Set<string>} files
 */
export function reachable(entries) {
  const found = new Set(entries);
  for (const file of found) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?["'](\.[^"']+)\.js["']/g)) {
      found.add(path.join(path.dirname(file), `${name}.d.ts`));
    }
  }
  return found;
}

const definition = /^\/\*\*(?:(?!\*\/)[^])*@typedef(?:(?!\*\/)[^])*\*\/\n/gm;

/**
 * TypeScript leaves the comments that define types where they stood, or drops them, and writes the types elsewhere, with what is said of
 * their members. Here each type gets what its source says of it as a whole, and those comments go.
 * @param {string} declarations
 * @param {string} source the module they were made from
 */
export function documentTypes(declarations, source) {
  /** @type {Map<string, string>} */
  const said = new Map();
  for (const [comment] of source.matchAll(definition)) {
    const lines = comment.slice(3, -3).split('\n').map((line) => line.replace(/^\s*\* ?/, ''));
    const [above, ...types] = lines.join('\n').split(/^\s*@typedef /m);
    for (const type of types) {
      const [, name, behind] = /\} (\w+) ?(.*)$/m.exec(type) ?? [];
      said.set(name, `${types.length === 1 ? above.replace(/^@.*$/gm, '') : ''} ${behind}`.replace(/\s+/g, ' ').trim());
    }
  }
  return declarations.replace(definition, '')
    .replace(/^export type (\w+)/gm, (whole, name) => (said.get(name) ? `/** ${said.get(name)} */\n${whole}` : whole));
}

/**
 * Keeps of a folder of declarations what its entries reach, with types documented.
 * @param {string} folder
 * @param {string} sources folder of the modules they were made from
 * @param {string[]} entries names in it
 */
export function tidyDeclarations(folder, sources, entries) {
  const kept = reachable(entries.map((name) => path.join(folder, name)));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.d.ts'))) {
    const file = path.join(folder, name);
    if (kept.has(file)) {
      const source = readFileSync(path.join(sources, name.replace(/\.d\.ts$/, '.js')), 'utf8');
      writeFileSync(file, documentTypes(readFileSync(file, 'utf8'), source));
    } else {
      rmSync(file);
    }
  }
}
