import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { startTimeOf } from '../../process/processTree';
import { clearLeftovers, recordSandbox } from './leftovers';

/** Clears the record of a sandbox with this owner. Returns whether its temporary folder and its record are left. */
async function isLeftAfter(context: TestContext, owner: object): Promise<boolean> {
  const folder = tempFolder(context);
  const [records, temporary] = [join(folder, 'records'), join(folder, 'temporary')];
  for (const made of [records, temporary]) mkdirSync(made);
  const { dev: device, ino: inode } = lstatSync(temporary);
  const record = { version: 1, host: hostname(), owner, folders: [], stubs: [] };
  const text = JSON.stringify({ ...record, temporary: [{ path: temporary, device, inode }] });
  writeFileSync(join(records, 'one.json'), text);
  await clearLeftovers(records);
  assert.equal(readdirSync(records).length === 1, existsSync(temporary));
  return existsSync(temporary);
}

void describe('what a sandbox has put on the disk', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;

  test('stays while its window runs, also if nobody knows since when', async (context) => {
    const started = (await startTimeOf(process.pid)) ?? '';
    assert.equal(await isLeftAfter(context, { pid: process.pid, started }), true);
    assert.equal(await isLeftAfter(context, { pid: process.pid, started: '' }), true);
  });

  test('is cleared once its window is gone, or its number is another’s', async (context) => {
    assert.equal(await isLeftAfter(context, { pid: gone, started: '' }), false);
    assert.equal(await isLeftAfter(context, { pid: gone, started: '1' }), false);
    assert.equal(await isLeftAfter(context, { pid: process.pid, started: 'another time' }), false);
  });

  test('its places are never missing while another one of the folder ends', async (context) => {
    const folder = tempFolder(context);
    const [records, project] = [join(folder, 'records'), join(folder, 'project')];
    mkdirSync(project);
    const placeholders = ['.vscode', '.idea', '.devcontainer'].map((name) => join(project, name));
    const policy = { folders: [project], readOnly: placeholders, unreadable: [], placeholders };
    let last = await recordSandbox(records, [], policy);
    for (let round = 0; round < 60; round += 1) {
      const end = new AbortController();
      const ended = last.forget().then(() => end.abort());
      // The other one starts at each moment of the end.
      for (let moment = 0; moment < round % 20; moment += 1) await new Promise((resolve) => setImmediate(resolve));
      last = await recordSandbox(records, [], policy);
      do {
        assert.deepEqual(
          placeholders.filter((path) => !existsSync(path)),
          [],
          `round ${round}`,
        );
        await new Promise((resolve) => setImmediate(resolve));
      } while (!end.signal.aborted);
      await ended;
    }
    await last.forget();
    assert.deepEqual(readdirSync(project), []);
    assert.deepEqual(readdirSync(records), []);
  });
});
