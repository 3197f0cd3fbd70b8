import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { AgentMarks } from './agentMarks';
import type { KnownSessionServices } from './knownSession';
import { RowActions, undoMs } from './rowActions';
import type { SessionFeed } from './sessionFeed';

beforeEach(() => editor.reset());

/** Rows of closed sessions, of which some can't be deleted, and a clock that the test lets run out. */
function list(locked: readonly string[] = []) {
  const deleted: string[] = [];
  const hidden = new Set<string>();
  let runOut: (() => void) | undefined;
  const feed = {
    find: (id: string) => ({ key: id, agentId: 'a', agentName: 'Ada', sessionId: '', title: `Title ${id}` }),
    hide: (ids: readonly string[]) => ids.forEach((id) => hidden.add(id)),
    unhide: () => hidden.clear(),
    refresh: () => undefined,
  } as unknown as SessionFeed;
  const services = {
    pool: { sessions: [], leaseRunning: () => [] },
    sessions: {
      stored: [],
      delete: async (key: string) => {
        if (locked.includes(key)) throw new Error('The disk is read-only.');
        deleted.push(key);
      },
      forget: (key: string) => deleted.push(key),
    },
  } as unknown as KnownSessionServices;
  const marks = new AgentMarks({ get: () => undefined, update: () => Promise.resolve() });
  const actions = new RowActions(services, feed, marks, (ms, action) => {
    assert.equal(ms, undoMs);
    runOut = action;
    return { dispose: () => (runOut = undefined) };
  });
  const timeIsUp = async () => {
    runOut?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { actions, deleted, hidden, timeIsUp };
}

test('deletes sessions only when they can no longer be brought back', async () => {
  const { actions, deleted, hidden, timeIsUp } = list();
  await actions.change(['1', '2'], 'delete');
  assert.deepEqual([[...hidden], deleted], [['1', '2'], []]);
  await timeIsUp();
  assert.deepEqual([[...hidden], deleted], [[], ['1', '2']]);
});

test('brings deleted sessions back, and deletes the rest at the end', async () => {
  const { actions, deleted, hidden, timeIsUp } = list();
  await actions.change(['1'], 'delete');
  actions.undoDelete();
  await timeIsUp();
  assert.deepEqual([[...hidden], deleted], [[], []]);
  await actions.change(['2'], 'delete');
  actions.finishNow();
  assert.deepEqual(deleted, ['2']);
});

test('says which session could not be deleted, and deletes the others', async () => {
  const { actions, deleted, hidden, timeIsUp } = list(['1']);
  await actions.change(['1', '2'], 'delete');
  await timeIsUp();
  assert.deepEqual([[...hidden], deleted], [[], ['2']]);
  assert.deepEqual(
    editor.shown.map(({ kind, message }) => [kind, message]),
    [['warning', 'Couldn’t delete “Title 1”: The disk is read-only.']],
  );
});
