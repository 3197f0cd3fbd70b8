import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { checkProgram, neededPrograms } from './checkProgram';

const [node] = neededPrograms().filter(({ name }) => name === 'Node');
assert.ok(node);

/** Checks Node with a script in its place; without one, it's missing. */
async function check(t: TestContext, script?: string, run = true, signal = new AbortController().signal) {
  const folder = tempFolder(t);
  const path = join(folder, 'node');
  if (script !== undefined) {
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }
  const finding = await checkProgram(node!, { env: { PATH: folder }, cwd: folder, run }, signal);
  return { ...finding, detail: finding.detail.replaceAll(folder, 'FOLDER') };
}

test('shows the version and path of a program that works', posixOnly, async (t) => {
  assert.deepEqual(await check(t, 'echo v22.3.0'), {
    name: 'Node',
    state: 'ok',
    summary: '22.3.0',
    detail: 'FOLDER/node',
  });
});

test('explains why a missing program is needed and where to get it', posixOnly, async (t) => {
  const { state, summary, fix } = await check(t);
  assert.deepEqual([state, summary], ['note', 'not found on PATH']);
  assert.deepEqual(fix, { kind: 'link', label: 'Get Node', url: 'https://nodejs.org/en/download' });
});

test('reports old, failing, and silent programs with one fix each', posixOnly, async (t) => {
  const old = await check(t, 'echo v16.20.0');
  assert.deepEqual([old.state, old.summary, old.fix?.kind], ['problem', '16.20.0', 'link']);
  assert.match(old.detail, /version 20 or later/);
  const broken = await check(t, 'echo first >&2; echo "no such library" >&2; exit 1');
  assert.deepEqual([broken.state, broken.summary], ['problem', 'doesn’t run']);
  assert.equal(broken.detail, 'FOLDER/node: no such library');
  assert.deepEqual(broken.fix, { kind: 'copy', label: 'Copy “node --version”', line: 'node --version' });
  assert.match((await check(t, 'true')).detail, /It printed no version/);
});

test('stops a hanging program when the check is cancelled', posixOnly, async (t) => {
  const cancelled = new AbortController();
  const found = check(t, 'exec sleep 600', true, cancelled.signal);
  setImmediate(() => cancelled.abort());
  assert.match((await found).detail, /Cancelled/);
});

test("finds a program without trust but doesn't start it", posixOnly, async (t) => {
  const finding = await check(t, 'touch "$(dirname "$0")/started"; echo v22.3.0', false);
  assert.deepEqual([finding.state, finding.summary], ['skipped', 'found']);
  assert.match(finding.detail, /FOLDER\/node\. Not started, because this folder isn’t trusted/);
});
