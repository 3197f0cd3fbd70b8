// A turn that begins before its files are recorded.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, test, type TestContext } from 'node:test';
import { WorkspaceBaseline } from '../../../baseline/workspaceBaseline';
import { reviewFolder } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';

const before = 'one\ntwo\nthree\n';
const written = 'one\nagent\nthree\n';

beforeEach(() => editor.reset());

/** A window whose files are recorded only when the test says so, and which doesn't wait for it. */
function slowWindow(context: TestContext) {
  let record = () => {};
  const promise = new Promise<void>((resolve) => (record = resolve));
  const take = WorkspaceBaseline.take.bind(WorkspaceBaseline);
  context.mock.method(WorkspaceBaseline, 'take', async (...args: Parameters<typeof take>) => {
    await promise;
    return take(...args);
  });
  const window = reviewFolder(context, { 'a.txt': before, 'b.txt': before, 'c.txt': before }).open(1);
  return { window, record };
}

test('lists changes from before the recording and shows the gap', async (context) => {
  const { window, record } = slowWindow(context);
  const session = window.session();
  session.begin();
  await window.review.beforeTurn(session.key);
  writeFileSync(window.path('a.txt'), written);
  record();
  await window.review.beforeWork(session.key);
  writeFileSync(window.path('b.txt'), written);
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, unread }) => [path, unread]),
    [
      ['a.txt', 'late'],
      ['b.txt', undefined],
    ],
  );
  const recordedAt = window.review.gaps.of(session.key) ?? 0;
  assert.ok(recordedAt > 0 && recordedAt <= Date.now());
  await window.undoAll();
  assert.deepEqual(
    [readFileSync(window.path('a.txt'), 'utf8'), readFileSync(window.path('b.txt'), 'utf8')],
    [written, before],
  );
  // The next turn begins with everything recorded.
  session.begin();
  await window.review.beforeWork(session.key);
  await window.review.beforeTurn(session.key);
  assert.equal(window.review.gaps.of(session.key), undefined);
});

test('a write through the editor waits until the files are recorded', async (context) => {
  const { window, record } = slowWindow(context);
  const session = window.session();
  session.begin();
  await window.review.beforeTurn(session.key);
  const done: string[] = [];
  const caller = { session: session.key, agentName: 'Told', cwd: window.folder } as never;
  const write = window.review.writing(caller, window.uri('a.txt'), () => {
    done.push('written');
    writeFileSync(window.path('a.txt'), written);
    return Promise.resolve();
  });
  const work = window.review.beforeWork(session.key).then(() => done.push('allowed'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, []);
  record();
  await Promise.all([write, work]);
  await window.end(session);
  assert.deepEqual(
    window.listed(session).map(({ path, unread }) => [path, unread]),
    [['a.txt', undefined]],
  );
  await window.undoAll();
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
});

test('the agent waits until the earlier turn’s changes are read', async (context) => {
  const window = reviewFolder(context, { 'a.txt': 'mine\n' }).open();
  const session = window.session();
  await window.begin(session);
  writeFileSync(window.path('a.txt'), 'of the agent\n');
  session.end();
  session.begin();
  await window.review.beforeTurn(session.key);
  assert.deepEqual(window.review.log.pending, [window.uri('a.txt').toString()]);
});

test('many files that are read at once raise no warning', async (context) => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}.txt`);
  const window = reviewFolder(context, Object.fromEntries(names.map((name) => [name, before]))).open();
  const session = window.session();
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  context.after(() => process.off('warning', warned));
  await window.begin(session);
  for (const name of names) writeFileSync(window.path(name), written);
  await Promise.all(names.map((name) => window.look(name)));
  await window.end(session);
  assert.equal(window.review.log.pending.length, names.length);
  assert.deepEqual(warnings, []);
});
