import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeNpmFacts } from './npmFacts';
import { npmFailure } from './npmFailure';

const base = { name: '@scope/agent', version: '1.0.0' };

test('finds the program of a package', () => {
  const program = (bin: unknown, cmd?: string) => decodeNpmFacts({ ...base, bin }, cmd)?.program;
  assert.equal(program('./cli.js'), 'cli.js');
  assert.equal(program({ anything: 'dist/cli.js' }), 'dist/cli.js');
  assert.equal(program({ agent: 'a.js', other: 'b.js' }), 'a.js');
  assert.equal(program({ agent: 'a.js', other: 'b.js' }, 'other'), 'b.js');
  assert.equal(program({ one: 'a.js', other: 'b.js' }), undefined);
  assert.equal(program({ agent: 'a.js' }, 'toString'), undefined);
  for (const outside of ['../../evil.js', '/bin/sh', 'C:\\evil.js', '.', 7]) assert.equal(program(outside), undefined);
  assert.equal(program(undefined), undefined);
  assert.equal(decodeNpmFacts('text'), undefined);
});

test('explains every failure of npm with a cause and a next step', () => {
  const said = (output: string) => npmFailure('One', 'one@1.0.0', output);
  for (const [output, words] of [
    ['npm error code ENOTFOUND\nnpm error network no', /couldn’t reach its registry \(ENOTFOUND\)\. Check/],
    ['npm ERR! code ETARGET', /npm doesn’t have one@1\.0\.0\. Open/],
    ['npm error code EINTEGRITY', /checksum\. Try again/],
    ['npm error code ENOSPC', /disk is full\. Free/],
    ['npm error code E401', /denied access\. Check/],
    ['npm error code EACCES', /permissions/],
    ['npm error code EWEIRD\nnpm error \u001b[31mno luck today.', /npm reports: no luck today\./],
    ['', /npm reported no reason\./],
  ] as const) {
    assert.match(said(output), words);
    assert.match(said(output), /^Couldn’t install One\. .* Nothing was installed\.$/);
  }
});
