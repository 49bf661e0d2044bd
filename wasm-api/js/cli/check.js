import { existsSync } from 'node:fs';
import path from 'node:path';
import { canonical } from '../author.js';
import { MarrowError } from '../errors.js';
import { assetPlace, isInside } from '../load.js';
import { UsageError, checkEnding, textOption } from './command.js';
import { core, locate, readFileBytes } from './files.js';
import { mended } from './mend.js';
import { errorData, note, plural, print, printJson, writeOutput } from './output.js';

/** @typedef {ReturnType<typeof errorData>} Problem */
/** @typedef {{ file: string, errors: Problem[], warnings: import('../types.js').WarningData[] }} Report */

/** @type {import('./command.js').Command} */
export const check = {
  name: 'check',
  summary: 'errors and repairs, with their places',
  usage: 'marrow check FILE... [--strict] [--fix OUT] [--json]',
  details: `FILE is a .rig2d.json, an .anim.json, or a folder. Clips are also tried on the rig that stands before them, so that
tracks which drive nothing are found. A repair is a warning; with --strict it is an error. --fix writes the repaired file in
canonical form, members that the format does not know included, and lists what stays because only you know what is meant:
names that two bones have, say, or files that are not there. With --fix, --strict is about what stays.`,
  options: {
    strict: { type: 'boolean', help: 'warnings count as errors' },
    fix: { type: 'string', value: 'OUT', help: 'write the repaired file, list what stays (one FILE only)' },
  },
  files: { least: 1, most: Infinity },
  async run({ files, options, json }) {
    const fix = textOption({ files, options, json }, 'fix');
    const marrow = await core();
    const all = files.flatMap((file) => {
      const { rig, clips } = locate(file);
      return [rig, ...clips];
    });
    if (fix !== undefined && all.length !== 1) {
      throw new UsageError(`--fix takes one file, not ${all.length}`);
    }
    if (fix !== undefined) {
      checkEnding('--fix', fix, [isClip(all[0]) ? '.anim.json' : '.rig2d.json']);
    }
    /** @type {import('../model.js').Model | null} */
    let model = null;
    /** @type {Report | null} */
    let fixed = null;
    const reports = [];
    for (const file of all) {
      const report = { file, errors: /** @type {Problem[]} */ ([]), warnings: /** @type {Report['warnings']} */ ([]) };
      reports.push(report);
      try {
        const bytes = await readFileBytes(file);
        if (isClip(file)) {
          report.warnings = checkClip(bytes, model);
        } else {
          model?.dispose();
          model = null;
          model = marrow.loadRig2d(bytes);
          report.warnings = rigWarnings(model, file);
        }
        if (fix !== undefined) {
          fixed = await writeMended(marrow, file, bytes, fix);
        }
      } catch (error) {
        if (!(error instanceof MarrowError)) {
          throw error;
        }
        report.errors.push(errorData(error));
      }
    }
    const isStrict = options.strict === true;
    const final = fixed === null ? reports : [fixed];
    const failed = final.some(({ errors, warnings }) => errors.length > 0 || (isStrict && warnings.length > 0));
    if (json) {
      printJson({ ok: !failed, strict: isStrict, files: reports, ...(fixed === null ? {} : { fixed }) });
    } else {
      tell(reports, isStrict && fixed === null);
      if (fixed !== null) {
        note(`wrote ${fixed.file}: ${fixed.warnings.length === 0 ? 'nothing stays' : 'this stays'}`);
        tell([fixed], isStrict);
      }
    }
    return failed ? 1 : 0;
  },
};

/**
 * @param {import('../index.js').Marrow} marrow
 * @param {string} file
 * @param {Uint8Array} bytes of it
 * @param {string} output
 * @returns {Promise<Report>} on what was written
 */
async function writeMended(marrow, file, bytes, output) {
  const kind = isClip(file) ? 'anim' : 'rig2d';
  const text = mended(kind, bytes);
  await writeOutput(output, text);
  if (kind === 'anim') {
    return { file: output, errors: [], warnings: canonical(kind, text).warnings };
  }
  const model = marrow.loadRig2d(text);
  const warnings = rigWarnings(model, output);
  model.dispose();
  return { file: output, errors: [], warnings };
}

/** @param {string} file */
function isClip(file) {
  return /\.anim\.json$/i.test(file);
}

/**
 * Repairs of a clip, and what of it drives nothing on the rig.
 * @param {Uint8Array} bytes
 * @param {import('../model.js').Model | null} model
 */
function checkClip(bytes, model) {
  if (model === null) {
    return canonical('anim', bytes).warnings;
  }
  const before = model.warnings.length;
  model.addClip(bytes);
  return model.warnings.slice(before);
}

/**
 * @param {import('../model.js').Model} model
 * @param {string} file where it lies
 */
function rigWarnings(model, file) {
  return [...model.warnings, ...missingFiles(model, path.dirname(file))];
}

/**
 * Files of the rig's own table that are not where it says. Paths that are not followed are warned about already.
 * @param {import('../model.js').Model} model
 * @param {string} folder
 */
function missingFiles(model, folder) {
  return model.assets.filter((asset) => isInside(asset.path) && !existsSync(path.join(folder, asset.path))).map((asset) => ({
    code: 'BAD_REFERENCE',
    path: assetPlace(asset.guid),
    message: `there is no file ${asset.path}`,
  }));
}

/**
 * @param {Report[]} reports
 * @param {boolean} strict warnings are errors
 */
function tell(reports, strict) {
  for (const { file, errors, warnings } of reports) {
    for (const { code, message, line, column } of errors) {
      print(`${file}${line === null ? '' : `:${line}:${column}`}: error ${code}: ${message}`);
    }
    for (const { code, path: place, message } of warnings) {
      print(`${file}: ${strict ? 'error' : 'warning'} ${code}: ${place}: ${message}`);
    }
  }
  const repairs = reports.reduce((sum, report) => sum + report.warnings.length, 0);
  const errors = reports.reduce((sum, report) => sum + report.errors.length, strict ? repairs : 0);
  const warnings = strict ? 0 : repairs;
  note(errors + warnings === 0
    ? `${plural('file', reports.length)}: no errors, no warnings`
    : `${plural('file', reports.length)}: ${plural('error', errors)}, ${plural('warning', warnings)}`);
}
