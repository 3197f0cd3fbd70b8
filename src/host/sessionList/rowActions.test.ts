import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { FakeMachine, placeOf } from '../../../test/unit-support/storage';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import { Emitter } from '../../shared/values/event';
import type { ChatPage } from '../pages/chatPage';
import { Deletions } from '../sessions/end/deletions';
import type { WorktreeEnd } from '../sessions/end/worktreeEnd';
import type { StorageWindows } from '../storage/storageWindows';
import { AgentMarks } from './agentMarks';
import type { KnownSessionServices } from './knownSession';
import { RowActions, undoMs } from './rowActions';
import type { SessionFeed } from './sessionFeed';

beforeEach(() => editor.reset());

const nothing = {
  uncommitted: [],
  overlooked: [],
  ignored: [],
  repositories: [],
  detached: 0,
  unmerged: 0,
  unpushed: 0,
  tip: '',
};

/** The deletions that the running test has made. */
const unfinished: Deletions[] = [];

/** Creates a folder, which is deleted when everything that the test has begun is written there. */
function newFolder(): string {
  after(async () => {
    for (const deletions of unfinished.splice(0)) {
      for (let before; before !== deletions.all;) {
        before = deletions.all;
        await deletions.saved;
        await new Promise(setImmediate);
      }
    }
  });
  return tempFolder({ after });
}

function newPlace(): [storage: string, windows: StorageWindows] {
  const storage = newFolder();
  return [storage, new FakeMachine().window(storage).windows];
}

/** Rows of closed sessions, of which some can't be deleted, and a clock that the test lets run out. */
function list(
  locked: readonly string[] = [],
  running: { readonly all: readonly unknown[] } = { all: [] },
  isCancelled = false,
  place = placeOf(...newPlace()),
) {
  const started = new Emitter<void>();
  const marks = new AgentMarks({ get: () => undefined, update: () => Promise.resolve() });
  const archived: unknown[] = [];
  const worktrees: string[] = [];
  const deleted: string[] = [];
  const hidden = new Set<string>();
  let runOut: (() => void) | undefined;
  const feed = {
    find: (id: string) =>
      id === 'lost'
        ? undefined
        : id.startsWith('agent ')
          ? { agentId: 'a', agentName: 'Ada', sessionId: id.slice(6), title: 'Theirs' }
          : { key: id, agentId: 'a', agentName: 'Ada', sessionId: 's', title: `Title ${id}` },
    hide: (ids: readonly string[]) => ids.forEach((id) => hidden.add(id)),
    unhide: () => hidden.clear(),
    changed: () => undefined,
    askAgain: () => undefined,
  } as unknown as SessionFeed;
  const services = {
    pool: { sessions: [], leaseRunning: () => running.all, onDidStartAgent: started.event },
    marks,
    worktrees: {
      beforeEnd: async (keys: readonly string[], end: string) =>
        isCancelled ? undefined : [{ common: '/c', id: `${end} ${keys.join(' ')}`, how: 'remove', agreed: nothing }],
      end: async (ends: readonly WorktreeEnd[]) => void worktrees.push(...ends.map(({ id }) => id)),
    },
    sessions: {
      stored: [],
      look: () => Promise.resolve(),
      delete: async (key: string) => {
        if (locked.includes(key)) throw new Error('The disk is read-only.');
        deleted.push(key);
      },
      archive: async (key: string, isArchived: boolean) => archived.push([key, isArchived]),
      forget: (key: string) => deleted.push(key),
    },
  } as unknown as KnownSessionServices;
  const schedule = (ms: number, action: () => void) => {
    assert.equal(ms, undoMs);
    runOut = action;
    return { dispose: () => (runOut = undefined) };
  };
  const deletions = new Deletions(place);
  unfinished.push(deletions);
  const actions = new RowActions(services, feed, schedule, deletions);
  const timeIsUp = async () => {
    runOut?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { actions, deleted, hidden, archived, marks, timeIsUp, worktrees, deletions, started };
}

test('says that a session that is picked is no longer there', async () => {
  const { actions } = list();
  await assert.rejects(actions.open('lost', {} as ChatPage), /isn’t listed anymore/);
});

test('deletes sessions only when they can no longer be brought back', async () => {
  const { actions, deleted, hidden, timeIsUp } = list();
  await actions.change(['1', '2'], 'delete');
  assert.deepEqual([[...hidden], deleted], [['1', '2'], []]);
  await timeIsUp();
  assert.deepEqual([[...hidden], deleted], [[], ['1', '2']]);
});

test('worktrees end with their sessions, unless these are brought back', async () => {
  const { actions, timeIsUp, worktrees } = list();
  await actions.change(['1', '2'], 'delete');
  assert.deepEqual(worktrees, []);
  await timeIsUp();
  assert.deepEqual(worktrees, ['delete 1 2']);
  await actions.change(['3'], 'archive');
  assert.deepEqual(worktrees, ['delete 1 2', 'archive 3']);
  await actions.change(['4'], 'delete');
  actions.undoDelete();
  await timeIsUp();
  assert.equal(worktrees.length, 2);
});

test('a cancelled question about a worktree deletes and archives nothing', async () => {
  const { actions, hidden, archived } = list([], undefined, true);
  await actions.change(['1'], 'delete');
  await actions.change(['2'], 'archive');
  assert.deepEqual([[...hidden], archived], [[], []]);
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

test('archives sessions of agents that can’t', async () => {
  const { actions, archived, marks } = list();
  await actions.change(['1', 'agent s2'], 'archive');
  assert.deepEqual([archived, marks.of('a\ns2')], [[['1', true]], { isArchived: true }]);
  await actions.change(['1', 'agent s2'], 'unarchive');
  assert.deepEqual([archived.at(-1), marks.of('a\ns2')], [['1', false], undefined]);
});

test('archives a session in Parley although its agent refuses', async () => {
  const agent = {
    can: { archive: true },
    redact: (text: string) => text,
    ask: () => Promise.reject(new Error('No space left.')),
  };
  const { actions, archived } = list([], { all: [{ spec: { id: 'a' }, agent, dispose: () => undefined }] });
  await actions.change(['1'], 'archive');
  assert.deepEqual(archived, [['1', true]]);
  assert.deepEqual(
    editor.shown.map(({ message }) => message),
    ['Ada couldn’t archive the session: No space left. Parley archived it.'],
  );
});

test('no longer lists a deleted session that its agent keeps', async () => {
  const { actions, marks, timeIsUp } = list();
  await actions.change(['agent s2'], 'pin');
  assert.deepEqual(marks.of('a\ns2'), { isPinned: true });
  await actions.change(['agent s2'], 'delete');
  await timeIsUp();
  assert.deepEqual(marks.of('a\ns2'), { isHidden: true });
});

const session = {
  key: '1' as SessionKey,
  agentId: 'a' as AgentId,
  agentName: 'Ada',
  sessionId: '' as const,
  title: 'Old',
};

test('a notice in the editor brings a deleted session back', async () => {
  const { actions, deleted, hidden, timeIsUp } = list();
  editor.answers.push('Undo');
  await actions.deleteWithNotice(session);
  assert.deepEqual(
    editor.shown.map(({ message, items }) => [message, items]),
    [['Deleted “Old”', ['Undo']]],
  );
  await timeIsUp();
  assert.deepEqual([[...hidden], deleted], [[], []]);
});

test('closing the notice deletes the session at once', async () => {
  const { actions, deleted, hidden } = list();
  await actions.deleteWithNotice(session);
  assert.deepEqual([[...hidden], deleted], [[], ['1']]);
});

test('an agent that deletes its copy runs until it is told', async () => {
  const told: unknown[] = [];
  let leases = 0;
  const agent = { can: { delete: true }, ask: async (_method: unknown, params: unknown) => void told.push(params) };
  const lease = { spec: { id: 'a' }, agent, dispose: () => (leases -= 1) };
  const running = {
    get all() {
      leases += 1;
      return [lease];
    },
  };
  const { actions, timeIsUp } = list([], running);
  await actions.change(['1'], 'delete');
  assert.deepEqual([leases, told], [1, []]);
  await timeIsUp();
  assert.deepEqual([leases, told], [0, [{ sessionId: 's' }]]);
});

test('a deletion is finished after a reload or a crash', async () => {
  for (const isKilled of [false, true]) {
    const storage = newFolder();
    const machine = new FakeMachine();
    const told: unknown[] = [];
    const agent = { can: { delete: true }, ask: async (_method: unknown, params: unknown) => void told.push(params) };
    const lease = { spec: { id: 'a' }, agent, dispose: () => undefined };
    const one = machine.window(storage);
    const before = list([], { all: [lease] }, false, placeOf(storage, one.windows));
    await before.actions.change(['1'], 'delete');
    await before.deletions.saved;
    if (!isKilled) before.actions.finishNow();
    told.length = 0;

    const running: { all: readonly unknown[] } = { all: [] };
    const next = list([], running, false, placeOf(storage, machine.window(storage).windows));
    await next.actions.finishEarlier();
    assert.deepEqual(next.deleted, [], 'The user can still undo it in the other window.');
    one.end();
    await next.actions.finishEarlier();
    assert.deepEqual([next.deleted, next.marks.of('a\ns'), told], [['1'], { isHidden: true }, []]);
    assert.deepEqual([before.worktrees, next.worktrees], [[], ['delete 1']]);
    assert.deepEqual(
      next.deletions.all.map(({ worktrees }) => worktrees),
      [undefined],
    );
    running.all = [lease];
    next.started.fire();
    await next.timeIsUp();
    assert.deepEqual([told, next.marks.of('a\ns')], [[{ sessionId: 's' }], undefined]);
    await next.deletions.saved;
    assert.deepEqual([next.deletions.all, await readdir(join(storage, 'deletions'))], [[], []]);
  }
});

test('an undone deletion isn’t finished after a reload', async () => {
  const storage = newFolder();
  const machine = new FakeMachine();
  const one = machine.window(storage);
  const before = list([], undefined, false, placeOf(storage, one.windows));
  await before.actions.change(['1'], 'delete');
  before.actions.undoDelete();
  await before.deletions.saved;
  one.end();
  const next = list([], undefined, false, placeOf(storage, machine.window(storage).windows));
  await next.actions.finishEarlier();
  assert.deepEqual(next.deleted, []);
});
