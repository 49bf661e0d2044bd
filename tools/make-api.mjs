// Writes docs/api.md from the emitted declarations (npm run types). `--check` fails when the page is not what they say.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'wasm-api/js');
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
const shorten = (code) => code.replace(/\/\*\*[^]*?\*\//g, '').replace(/import\(["'][^"']*["']\)\./g, '').replace(/^export declare /, '').replace(/;$/, '')
  .replace(/\s+/g, ' ');
/** @param {Declaration} declaration */
const isHidden = ({ comment, code }) => comment.includes('@internal') || /^(#private|private |protected |constructor\(\)|import )/.test(code);

/** Files of a folder and those below it, the command line's excepted. @param {string} folder @param {string} ending */
function filesOf(folder, ending) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.endsWith(ending) && !/^cli\b/.test(name)).sort();
}

/** Every class that is declared, by name. @type {Map<string, Declaration>} */
const classes = new Map(filesOf(types, '.d.ts').flatMap((file) => declarations(readFileSync(join(types, file), 'utf8')))
  .flatMap((each) => (/^(?:export )?declare class (\w+)/.exec(each.code) ?? []).slice(1).map((name) => [name, each])));

/**
 * The members of a class, those of the project's classes below it first. What a class declares again stands in the place of the first.
 * @param {Declaration} declaration
 * @returns {Declaration[]}
 */
function membersOf({ code }) {
  const base = classes.get(/ extends (\w+)/.exec(code)?.[1] ?? '');
  const members = base === undefined ? [] : membersOf(base).filter((each) => !each.code.startsWith('constructor'));
  for (const member of declarations(code.slice(code.indexOf('{') + 1, code.lastIndexOf('}'))).filter((each) => !isHidden(each))) {
    const at = members.findIndex((each) => memberName(each) === memberName(member));
    if (at < 0) {
      const getter = members.findIndex((each) => memberName(each) === memberName(member).replace('set ', 'get '));
      members.splice(getter < 0 ? members.length : getter + 1, 0, member);
    } else {
      members[at] = member.comment === '' ? { ...member, comment: members[at].comment } : member;
    }
  }
  return members;
}

/** @param {Declaration} member */
const memberName = ({ code }) => /^(?:readonly )?((?:[gs]et )?\w+)/.exec(code)?.[1] ?? code;

/**
 * @param {string} name
 * @param {Declaration} declaration
 */
function renderClass(name, declaration) {
  const out = [`### class \`${name}\``, '', renderComment(commentLines(declaration.comment)), ''];
  for (const member of membersOf(declaration)) {
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

/**
 * Splits what follows a tag into the type in braces, which may hold others, and the rest.
 * @param {string} text
 */
function takeType(text) {
  let depth = 0;
  for (let end = 0; end < text.length; end += 1) {
    depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    if (depth === 0) {
      return { type: text.slice(1, end), rest: text.slice(end + 1).trim() };
    }
  }
  throw new Error(`no type in "${text.slice(0, 60)}"`);
}

/** @typedef {{ name: string, file: string, text: string }} Data a type of plain data, and what the page says of it */

/**
 * The types that the comments of a source define.
 * @param {string} file
 * @returns {Data[]}
 */
function dataOf(file) {
  const blocks = [...readFileSync(join(sources, file), 'utf8').matchAll(/\/\*\*[^]*?\*\//g)].map(([block]) => commentLines(block).join('\n'));
  return blocks.flatMap((block) => {
    const [before, ...definitions] = block.split(/^\s*@typedef /m);
    return definitions.map((definition) => {
      const [head, ...properties] = definition.split(/^@property /m);
      const { type, rest } = takeType(head.trim());
      const [, name, after] = /** @type {RegExpExecArray} */ (/^(\w+)\s*([^]*)$/.exec(rest));
      const prose = after === '' && definitions.length === 1 ? renderComment(before.split('\n')) : after.trim();
      const fields = properties.map((property) => {
        const field = takeType(property.trim());
        const [, field_, text] = /** @type {RegExpExecArray} */ (/^(\[?\w+\]?)\s*([^]*)$/.exec(field.rest));
        return `- \`${field_.replace(/\[(\w+)\]/, '$1?')}: ${shorten(field.type)}\` ${text.replace(/\s+/g, ' ')}`.trimEnd();
      });
      const title = `### \`${name}\`${fields.length === 0 ? ` = \`${shorten(type)}\`` : ''}`;
      // A name for what another file defines under the same is none of its own.
      return { name, file, text: shorten(type) === name ? '' : [title, '', ...(prose === '' ? [] : [prose, '']), ...fields].join('\n').trimEnd() };
    });
  }).filter((each) => each.text !== '');
}

/** Whether a page names something in code. @param {string} page @param {string} name */
const isNamed = (page, name) => new RegExp(`^.*\`[^\`]*\\b${name}\\b`, 'm').test(page);

/**
 * Everything that a page's signatures name and that it does not describe yet: classes that are handed out, and plain data.
 * @param {string} page
 */
function renderRest(page) {
  const known = filesOf(sources, '.js').flatMap(dataOf);
  const doubled = known.filter(({ name }, index) => known.findIndex((each) => each.name === name) !== index).map(({ name }) => name);
  /** @type {Map<string, string>} */
  const handedOut = new Map();
  /** @type {Set<Data>} */
  const data = new Set(known.filter(({ file }) => file === 'types.js'));
  for (let before = -1; before !== handedOut.size + data.size;) {
    before = handedOut.size + data.size;
    const text = [page, ...handedOut.values(), ...[...data].map((each) => each.text)].join('\n');
    for (const [name, declaration] of classes) {
      if (!text.includes(`### class \`${name}\``) && !isHidden(declaration) && isNamed(text, name)) {
        handedOut.set(name, renderClass(name, declaration));
      }
    }
    known.filter((each) => isNamed(text, each.name)).forEach((each) => data.add(each));
  }
  const titled = [...data].map(({ name, file, text }) => (doubled.includes(name) ? text.replace(/\n|$/, ` of \`marrow2d/${dirname(file)}\`$&`) : text));
  return ['## What the classes hand out', ...handedOut.values(), '## Data', ...titled];
}

const described = [
  '# JavaScript reference',
  'Made from the declarations by `node tools/make-api.mjs`. Angles are radians, 2D space has +y down, one unit is a sprite pixel, colors are\n0xRRGGBB. Calls that fail throw a `MarrowError` with `code`, `file`, `path`, `line`, `column` and `offset`.',
  ...modules.flatMap(([name, file]) => [`## \`${name}\``, ...renderFile(file, '', undefined)]),
];
const text = [...described, ...renderRest(described.join('\n\n'))].join('\n\n').replace(/\n{3,}/g, '\n\n').concat('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/api.md is not what the declarations say: run `npm run types && node tools/make-api.mjs`');
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, text);
}
