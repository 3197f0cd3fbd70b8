import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { recordTouch, type Checkpoint } from '../../review/checkpoints/checkpoint';
import { CheckpointFiles } from './checkpointFiles';

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-checkpoints-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { folder, files: new CheckpointFiles(join(folder, 'checkpoints')) };
}

const name = (sessionId: string) => ({ agentId: 'settings:Told', sessionId });
const story = (hash: string): Checkpoint[] =>
  recordTouch([], 1, 'file:///a', {
    before: { kind: 'stored', hash, size: 3, mode: 0o755 },
    after: { kind: 'absent' },
  });

async function write(files: CheckpointFiles, ...checkpoints: Parameters<CheckpointFiles['save']>): Promise<void> {
  files.save(...checkpoints);
  await files.flush();
}

test("saves checkpoints under the agent's session id and leaves no other file", async (t) => {
  const { folder, files } = await place(t);
  await write(files, name('s1'), story('one'));
  await write(files, name('s1'), story('two'));
  await write(files, name('s2'), story('three'));
  const reopened = new CheckpointFiles(join(folder, 'checkpoints'));
  assert.deepEqual(await reopened.read(name('s1')), story('two'));
  assert.equal(await reopened.read({ agentId: 'settings:Other', sessionId: 's1' }), undefined);
  assert.equal((await readdir(join(folder, 'checkpoints'))).length, 2);
  await write(files, name('s1'), []);
  assert.equal(await reopened.read(name('s1')), undefined);
});

test('skips damaged files and lists the least recently used first', async (t) => {
  const { folder, files } = await place(t);
  assert.deepEqual(await files.all(), []);
  await write(files, name('young'), story('young'));
  await write(files, name('old'), story('old'));
  await write(files, name('bad'), story('bad'));
  const { files: paths } = await byName(join(folder, 'checkpoints'));
  const [old, bad] = [paths.get('old'), paths.get('bad')];
  assert.ok(old !== undefined && bad !== undefined);
  await utimes(old, 1, 1);
  await writeFile(bad, '{"version":1,"agentId":"settings:Told","sess');
  assert.deepEqual(
    (await files.all()).map((one) => one.name.sessionId),
    ['old', 'young'],
  );
  assert.equal((await readdir(join(folder, 'checkpoints', 'damaged'))).length, 1, 'It is set aside, not lost.');
});

/** Maps each session id to its file. */
async function byName(folder: string) {
  const files = new Map<string, string>();
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const { sessionId } = JSON.parse(await readFile(path, 'utf8')) as { sessionId: string };
    files.set(sessionId, path);
  }
  return { files };
}
