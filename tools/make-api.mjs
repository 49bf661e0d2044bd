// Writes docs/api.md from the emitted declarations (npm run types). `--check` fails when the page is not what they say.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const types = join(root, 'wasm-api/dist/types');
const page = join(root, 'docs/api.md');

const modules = [
  ['marrow2d', 'index.d.ts'],
  ['marrow2d/pixi', 'pixi.d.ts'],
  ['marrow2d/three', 'three.d.ts'],
  ['marrow2d/author', 'author.d.ts'],
];

/** @typedef {{ comment: string, code: string }} Declaration */

/**
 * Comment lines without their stars.
 * @param {string} text
 */
function commentLines(text) {
  return text.replace(/^\/\*\*|\*\/$/g, '').split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
}

/**
 * What a comment says: prose, then parameters, then its example.
 * @param {string[]} lines
 */
function renderComment(lines) {
  /** @type {string[]} */
  const prose = [];
  /** @type {string[]} */
  const list = [];
  /** @type {string[]} */
  const example = [];
  let target = prose;
  for (const line of lines) {
    const tag = /^@(\w+)\s*(.*)$/.exec(line.trim());
    if (tag === null) {
      target.push(target === list && line.trim() !== '' && list.length > 0 ? `  ${line.trim()}` : line);
    } else if (tag[1] === 'param') {
      const named = /^(?:\{.*\} )?\[?([\w.]+)[^\]\s]*\]?\s*(.*)$/.exec(tag[2]);
      target = list;
      if (named !== null && named[2] !== '') {
        list.push(`- \`${named[1]}\`: ${named[2]}`);
      }
    } else if (tag[1] === 'returns') {
      const said = tag[2].replace(/^\{.*\}\s*/, '');
      target = list;
      if (said !== '') {
        list.push(`- returns ${said}`);
      }
    } else {
      target = tag[1] === 'example' ? example : [];
    }
  }
  const parts = [prose.join('\n').trim(), list.filter((line) => line.trim() !== '').join('\n')];
  if (example.length > 0) {
    parts.push(`\`\`\`js\n${example.join('\n').trim()}\n\`\`\``);
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * Splits a declaration file, or the body of a class.
 * @param {string} text
 */
function declarations(text) {
  /** @type {Declaration[]} */
  const found = [];
  let comment = '';
  let rest = text;
  while ((rest = rest.trimStart()) !== '') {
    if (rest.startsWith('/**')) {
      const end = rest.indexOf('*/') + 2;
      comment = rest.slice(0, end);
      rest = rest.slice(end);
      continue;
    }
    let depth = 0;
    let end = 0;
    for (; end < rest.length; end += 1) {
      const at = rest[end];
      depth += '{(['.includes(at) ? 1 : '})]'.includes(at) ? -1 : 0;
      if (depth === 0 && (at === ';' || (at === '}' && /^(export )?(declare )?(abstract )?class /.test(rest)))) {
        break;
      }
    }
    found.push({ comment, code: rest.slice(0, end + 1).trim() });
    comment = '';
    rest = rest.slice(end + 1);
  }
  return found;
}

/** @param {string} code */
const shorten = (code) => code.replace(/import\(["'][^"']*["']\)\./g, '').replace(/^export declare /, '').replace(/;$/, '').replace(/\s+/g, ' ');
/** @param {Declaration} declaration */
const isHidden = ({ comment, code }) => comment.includes('@internal') || /^(#private|private |constructor\(\)|import )/.test(code);

/**
 * @param {string} name
 * @param {Declaration} declaration
 */
function renderClass(name, { comment, code }) {
  const out = [`### class \`${name}\``, '', renderComment(commentLines(comment)), ''];
  const body = code.slice(code.indexOf('{') + 1, code.lastIndexOf('}'));
  for (const member of declarations(body).filter((each) => !isHidden(each))) {
    const said = renderComment(commentLines(member.comment));
    out.push(`- \`${shorten(member.code)}\``, ...(said === '' ? [] : ['', said.replace(/^/gm, '  ').replace(/^ +$/gm, ''), '']));
  }
  return out.join('\n');
}

/**
 * @param {string} file
 * @param {string} prefix of the names of a namespace
 * @param {string[] | undefined} only
 */
function renderFile(file, prefix, only) {
  /** @type {string[]} */
  const out = [];
  for (const declaration of declarations(readFileSync(join(types, file), 'utf8'))) {
    const { comment, code } = declaration;
    const again = /^export (?:\* as (\w+)|\{ ([^}]*) \}) from '(.*)\.js'/.exec(code);
    if (again !== null) {
      const names = again[2]?.split(/,\s*/);
      out.push(...renderFile(join(dirname(file), `${again[3]}.d.ts`), again[1] === undefined ? prefix : `${again[1]}.`, names));
      continue;
    }
    const named = /^export declare (class|function|const|let) (\w+)/.exec(code);
    if (named === null || isHidden(declaration) || (only !== undefined && !only.includes(named[2]))) {
      continue;
    }
    if (named[1] === 'class') {
      out.push(renderClass(named[2], declaration));
    } else {
      const said = renderComment(commentLines(comment));
      out.push([`### \`${prefix}${shorten(code).replace(/^(function|const|let) /, '')}\``, '', said].join('\n').trimEnd());
    }
  }
  return out;
}

/** Plain data: the typedefs of types.js, whose properties stand in one comment. */
function renderData() {
  const out = [];
  for (const block of readFileSync(join(root, 'wasm-api/js/types.js'), 'utf8').split(/ \* @typedef /).slice(1)) {
    const head = /^\{(.*)\} (\w+) ?(.*)$/m.exec(block);
    if (head === null) {
      throw new Error(`types.js: no typedef in "${block.slice(0, 60)}"`);
    }
    const fields = [...block.matchAll(/@property \{(.*?)\} (\[?\w+\]?)(?: (.*(?:\n \*   .*)*))?$/gm)];
    const said = head[3] === '' ? [] : [head[3], ''];
    const list = fields.map(([, type, name, text = '']) => `- \`${name.replace(/\[(\w+)\]/, '$1?')}: ${shorten(type)}\` ${text.replace(/\n \*\s+/g, ' ')}`.trimEnd());
    out.push([`### \`${head[2]}\`${fields.length === 0 ? ` = \`${shorten(head[1])}\`` : ''}`, '', ...said, ...list].join('\n').trimEnd());
  }
  return out;
}

const text = [
  '# JavaScript reference',
  'Made from the declarations by `node tools/make-api.mjs`. Angles are radians, 2D space has +y down, one unit is a sprite pixel, colors are\n0xRRGGBB. Calls that fail throw a `MarrowError` with `code`, `path`, `line`, `column` and `offset`.',
  ...modules.flatMap(([name, file]) => [`## \`${name}\``, ...renderFile(file, '', undefined)]),
  '## Data',
  ...renderData(),
].join('\n\n').replace(/\n{3,}/g, '\n\n').concat('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/api.md is not what the declarations say: run `npm run types && node tools/make-api.mjs`');
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, text);
}
