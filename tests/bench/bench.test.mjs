// A smoke run of the benchmarks: every case runs, every contestant agrees with the reference, and the table has its lines. The
// figures of so short a run mean nothing and are not looked at.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { CASES } from './cases.mjs';
import { toCsv, toTable } from './report.mjs';

test('a quick run measures every case', () => {
  const csv = execFileSync(process.execPath, [path.join(import.meta.dirname, 'run.mjs'), '--quick', '--csv'], {
    encoding: 'utf8',
  });
  const [header, ...lines] = csv.trim().split('\n');
  assert.equal(header.split(',').length, 11);
  const named = (/** @type {string} */ text) => lines.filter((line) => line.includes(text)).length;
  for (const count of [200, 1000, 5000]) assert.equal(named(`2D skinning, ${count} vertices`), 8);
  assert.equal(named('pose of 60 bones'), 6);
  assert.equal(named('whole frame'), 1);
  assert.equal(named('1000 characters'), 3);
  assert.equal(named('idle character'), 1);
  assert.equal(named('in Chromium'), 2);
  assert.ok(Object.keys(CASES).length >= 8);
  for (const line of lines) assert.match(line, /,[0-9.e+-]+,/);
});

test('a row says whether its target is met, and quotes what CSV needs quoted', () => {
  const row = { name: 'a, b', against: 'c', unit: 'ns', ours: 2, theirs: 10, ratio: 5, spread: [4.9, 5.1] };
  const least = { ...row, bound: /** @type {const} */ ('least'), target: 5, stretch: 6 };
  assert.match(toCsv([least]), /\n"a, b",c,ns,2\.0000,10\.000,5\.0000,4\.9000,5\.1000,>= 5x,>= 6x,met\n$/);
  assert.match(toCsv([{ ...least, target: 5.5 }]), /,not met\n$/);
  assert.match(toCsv([{ ...row, bound: 'most', target: 5.5 }]), /,<= 5\.5x,,met\n$/);
  assert.match(toTable([{ ...row, theirs: NaN, ratio: 2, bound: 'most', target: 3 }]), /<= 3 ns\s+met$/);
});
