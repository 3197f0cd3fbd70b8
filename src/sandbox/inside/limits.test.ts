import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { countsProcesses, limits, limitWords } from './limits';

test('limits processes only where a sandbox’s own are counted', () => {
  for (const release of ['5.14.0', '6.1.0-18-amd64', '10.0']) assert.ok(countsProcesses('linux', release), release);
  for (const release of ['5.4.0-150-generic', '4.19', '']) assert.ok(!countsProcesses('linux', release), release);
  assert.ok(!countsProcesses('darwin', '23.1.0'));
  assert.match(limitWords('linux', '6.1'), /ulimit -u 4096/);
  assert.doesNotMatch(limitWords('darwin', '23.1.0'), /4096/);
});

test('the security page names the limits', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  assert.match(page, new RegExp(`at most ${limits.processes.toLocaleString('en')} processes and threads`));
  assert.match(page, new RegExp(`files of at most ${limits.fileGigabytes} GB`));
});
