// The characters are what their generator makes of their drawings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('pages, rigs and clips of the characters are fresh', () => {
  const root = path.dirname(path.dirname(import.meta.dirname));
  const made = spawnSync(process.execPath, ['tools/make-characters.mjs', '--check'], { cwd: root, encoding: 'utf8' });
  assert.equal(made.status, 0, `${made.stdout}${made.stderr}\nrun node tools/make-characters.mjs`);
});
