import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import type { AgentId, EntryId, RequestKey, SessionId, SessionKey, ToolCallId } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { Entry, SessionView, Transcript } from '../../shared/transcript/transcript';
import { emptyView } from '../../../test/unit-support/emptyView';
import type { TryGroup } from '../../tries/tryGroup';
import type { StoredListing } from '../sessions/stored/storedListing';
import { placeWords } from '../../shared/pages/sessionRowWords';
import { sessionRows, type AgentList, type RowSources } from './sessionRows';

const claude = 'settings:Claude' as AgentId;

function transcript(view: Partial<SessionView>, ...entries: readonly Entry[]): Transcript {
  const base = createTranscript({ ...emptyView, agentId: claude, agentName: 'Claude', cwd: '/work/harbor', ...view });
  return { ...base, order: entries.map(({ id }) => id), entries: new Map(entries.map((entry) => [entry.id, entry])) };
}

function listing(key: string, fields: Partial<StoredListing> = {}): StoredListing {
  return {
    key: key as SessionKey,
    title: key,
    agentId: claude,
    agentName: 'Claude',
    cwd: '/work/harbor',
    size: 1,
    madeAt: 1,
    updatedAt: 5,
    isOpen: false,
    ...fields,
  };
}

function sources(fields: Partial<RowSources> = {}): RowSources {
  return {
    live: [],
    stored: [],
    lists: [],
    others: [],
    deleted: new Set(),
    markOf: () => undefined,
    branchOf: () => undefined,
    canBringFrom: () => false,
    isCopy: () => false,
    hasWorktree: () => false,
    changesOf: () => undefined,
    isThisFolder: () => false,
    taskOf: () => undefined,
    ...fields,
  };
}

const listed = (id: string): ListedSession => ({
  sessionId: id as SessionId,
  cwd: '/work/harbor',
  title: `Listed ${id}`,
  updatedAt: 3,
  isArchived: false,
});

const agentList = (...ids: readonly string[]): AgentList => ({
  spec: { id: claude, name: 'Claude' },
  can: {},
  sessions: ids.map(listed),
  isOpen: () => false,
});

const asking: Entry = {
  kind: 'tool_call',
  id: 'e1' as EntryId,
  turn: 1,
  toolCallId: 'c1' as ToolCallId,
  title: 'npm test',
  toolKind: 'execute',
  status: 'pending',
  content: [],
  locations: [],
  permission: { state: 'asked', request: 'r1' as RequestKey, options: [] },
  startedAt: 1,
};

test('a session that asks says what it wants and since when', () => {
  const view = { activity: { state: 'requires_action', since: 42 }, connection: { state: 'ready' } } as const;
  const live = [{ key: 'a' as SessionKey, transcript: transcript(view, asking) }];
  const [row] = sessionRows(sources({ live, branchOf: () => 'main' }));
  assert.equal(row?.state, 'needsYou');
  assert.equal(row.words, 'Wants to run a command');
  assert.equal(row.at, 42);
  assert.equal(row.branch, 'main');
});

test('sessions in a worktree offer to bring its changes here', () => {
  const cwd = '/work/harbor.worktrees/fix';
  const live = [{ key: 'a' as SessionKey, transcript: transcript({ cwd }) }];
  const canBringFrom = (folder: string) => folder === cwd;
  const stored = [
    listing('b', { cwd, updatedAt: 4 }),
    listing('c', { cwd, updatedAt: 3, isElsewhere: true }),
    listing('d', { cwd, updatedAt: 2, isArchived: true }),
    listing('e', { updatedAt: 1 }),
  ];
  const rows = sessionRows(sources({ live, stored, canBringFrom }));
  assert.deepEqual(
    rows.filter(({ actions }) => actions.includes('bringChanges')).map(({ session }) => session),
    ['a', 'b'],
  );
});

test('a session in a worktree offers a review of it', () => {
  const live = [{ key: 'a' as SessionKey, transcript: transcript({ cwd: '/work/harbor.worktrees/fix' }) }];
  const offers = (hasWorktree: (cwd: string) => boolean) =>
    sessionRows(sources({ live, hasWorktree })).map(({ actions }) => actions.includes('reviewWorktree'));
  assert.deepEqual([offers((cwd) => cwd.endsWith('/fix')), offers(() => false)], [[true], [false]]);
});

test('an open or stored session says which one started it', () => {
  const askedBy = { session: 'a' as SessionKey, title: 'A', depth: 1, first: 'a' as SessionKey };
  const live = [{ key: 'b' as SessionKey, transcript: transcript({ askedBy }) }];
  const rows = sessionRows(sources({ live, stored: [listing('c', { askedBy: 'a' as SessionKey }), listing('a')] }));
  assert.deepEqual(
    rows.map((row) => [row.session, row.askedBy]),
    [
      ['b', 'a'],
      ['c', 'a'],
      ['a', undefined],
    ],
  );
});

test('a try says its task, its name, and how its check ended', () => {
  const tries = [
    { session: 'gone', agentName: 'Claude' },
    { session: 'a', agentName: 'Claude', model: 'Opus 5', check: { exitCode: 0, ms: 1 } },
    { session: 'b', agentName: 'Codex', model: 'gpt', preset: 'Fast', check: { ms: 1 } },
  ];
  const task = { id: 't', message: ` ${'Fix it '.repeat(50)}\nwith care`, tries } as unknown as TryGroup;
  const live = ['b', 'e'].map((key) => ({ key: key as SessionKey, transcript: transcript({}) }));
  const taskOf = (key: SessionKey) => (key === 'e' ? undefined : task);
  const [second, none, first] = sessionRows(sources({ live, stored: [listing('a')], taskOf }));
  const message = 'Fix it '.repeat(50).slice(0, 200);
  assert.deepEqual(first?.try, {
    task: 't',
    message,
    position: 1,
    name: 'Claude 2',
    detail: 'Opus 5',
    check: 'passed',
  });
  assert.deepEqual(second?.try, {
    task: 't',
    message,
    position: 2,
    name: 'Codex',
    detail: 'Fast',
    check: 'failed',
  });
  assert.equal(none?.try, undefined);
});

test('a session is listed once, however many know it', () => {
  const live = [{ key: 'a' as SessionKey, transcript: transcript({ sessionId: 's1' as SessionId }) }];
  const stored = [listing('a', { isPinned: true }), listing('b', { sessionId: 's2' as SessionId })];
  const lists = [agentList('s1', 's2', 's3')];
  const rows = sessionRows(sources({ live, stored, lists }));
  assert.deepEqual(
    rows.map(({ place, session, title }) => [place, session ?? title]),
    [
      ['here', 'a'],
      ['stored', 'b'],
      ['agent', 'Listed s3'],
    ],
  );
  assert.equal(rows[0]?.isPinned, true);
});

test('a session of another window shows its state and offers nothing', () => {
  const work = { state: 'needsYou', words: 'Has a question', since: 9 } as const;
  const stored = [
    listing('a', { isOpen: true, isElsewhere: true, work }),
    // Its window has closed since.
    listing('b', { work }),
  ];
  const [elsewhere, closed] = sessionRows(sources({ stored }));
  assert.deepEqual([elsewhere?.state, elsewhere?.words, elsewhere?.at], ['needsYou', 'Has a question', 9]);
  assert.deepEqual(elsewhere?.actions, []);
  assert.deepEqual([closed?.state, closed?.words, closed?.at], ['closed', undefined, 5]);
});

test('marks pin, archive, and hide sessions that only an agent has', () => {
  const lists = [agentList('s1', 's2')];
  const marks: Record<string, object> = {
    'settings:Claude\ns1': { isPinned: true, isArchived: true },
    'settings:Claude\ns2': { isHidden: true },
  };
  const rows = sessionRows(sources({ lists, markOf: (mark) => marks[mark] }));
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0]?.isPinned, rows[0]?.isArchived], [true, true]);
});

test('says which sessions their agent has open elsewhere', () => {
  const lists = [{ ...agentList('s1', 's2'), isOpen: ({ sessionId }: ListedSession) => sessionId === 's2' }];
  assert.deepEqual(sessionRows(sources({ lists })).map(placeWords), ['stored by the agent', 'open elsewhere']);
});

test('rows show the changes that wait for review', () => {
  const stored = [listing('a')];
  const [row] = sessionRows(sources({ stored, changesOf: () => ({ added: 14, removed: 2, files: 3 }) }));
  assert.deepEqual([row?.added, row?.removed, row?.unreviewed], [14, 2, 3]);
});

test('sessions that are being deleted are not listed', () => {
  assert.deepEqual(sessionRows(sources({ stored: [listing('a')], deleted: new Set(['own a']) })), []);
});

test('a row says where its session works', () => {
  const places = (fields: Partial<RowSources>) =>
    sessionRows(sources({ stored: [listing('s', { branch: 'main' })], ...fields })).map(
      ({ folder, branch, workplace }) => [folder, branch, workplace],
    );
  const isHarbor = (cwd: string) => cwd === '/work/harbor';
  assert.deepEqual(places({}), [['harbor', 'main', undefined]]);
  assert.deepEqual(places({ isThisFolder: isHarbor }), [['harbor', 'main', 'thisFolder']]);
  assert.deepEqual(places({ hasWorktree: isHarbor }), [['harbor', 'main', 'worktree']]);
  assert.deepEqual(places({ isCopy: isHarbor, hasWorktree: isHarbor }), [['harbor', 'main', 'ownCopy']]);
});
