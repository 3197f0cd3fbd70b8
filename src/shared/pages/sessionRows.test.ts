import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId, SessionKey } from '../values/ids';
import { ago, stateWords, timeAgo, triesWords, waitingWords, workplaceWords } from './sessionRowWords';
import { holdPlaces, isShown, sectionsOf, startOfDay, type RowTry, type SessionRow } from './sessionRows';

const now = new Date(2026, 10, 26, 16, 0).getTime();
const minute = 60_000;
const hour = 60 * minute;

function row(id: string, fields: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    title: id,
    agentId: 'settings:Claude' as AgentId,
    agentName: 'Claude',
    place: 'stored',
    state: 'closed',
    folder: 'harbor',
    at: now,
    actions: [],
    ...fields,
  };
}

const idsOf = (sections: ReturnType<typeof sectionsOf>) =>
  Object.fromEntries(sections.map(({ name, rows }) => [name, rows.map(({ id }) => id)]));

test('rows are in the section of their state, then of their day', () => {
  const midnight = startOfDay(now);
  const rows = [
    row('old', { at: startOfDay(now, 6) - 1 }),
    row('six days', { at: startOfDay(now, 6) }),
    row('yesterday', { at: midnight - 1 }),
    row('morning', { at: midnight }),
    row('ahead', { at: now + hour }),
    row('without a message', { at: 0, state: 'idle' }),
    row('of unknown age', { at: 0, state: 'closed' }),
    row('waits', { state: 'needsYou' }),
    row('works', { state: 'running', isPinned: true }),
    row('pinned', { isPinned: true, at: 1 }),
    row('archived', { isArchived: true, isPinned: true }),
  ];
  assert.deepEqual(idsOf(sectionsOf(rows, now)), {
    needsYou: ['waits'],
    running: ['works'],
    pinned: ['pinned'],
    today: ['ahead', 'morning', 'without a message'],
    earlier: ['yesterday', 'six days', 'old', 'of unknown age'],
    archived: ['archived'],
  });
});

test('of sessions that wait, the one that waits longest comes first', () => {
  const rows = [row('new', { state: 'needsYou' }), row('old', { state: 'needsYou', at: now - hour })];
  assert.deepEqual(idsOf(sectionsOf(rows, now)), { needsYou: ['old', 'new'] });
});

test('sessions that agents started are below those that started them', () => {
  const key = (name: string) => name as SessionKey;
  const rows = [
    row('other'),
    row('child', { session: key('child'), askedBy: key('parent'), at: now - hour, state: 'needsYou' }),
    row('below', { session: key('below'), askedBy: key('child'), at: now - 3 * hour }),
    row('second', { session: key('second'), askedBy: key('parent'), at: now }),
    row('parent', { session: key('parent'), at: now - 2 * hour }),
    row('waits', { state: 'needsYou', at: now - minute }),
    row('alone', { askedBy: key('gone'), at: now - minute }),
  ];
  assert.deepEqual(idsOf(sectionsOf(rows, now)), {
    needsYou: ['parent', 'second', 'child', 'below', 'waits'],
    today: ['other', 'alone'],
  });
});

const aTry = (position: number, more: Partial<RowTry> = {}) => ({
  try: { task: 'task', message: 'Fix it', position, name: 'Claude', ...more },
});

test('tries of a task are together, in their order', () => {
  const rows = [
    row('second', { ...aTry(1), state: 'running', at: now }),
    row('third', { ...aTry(2), at: now - hour }),
    row('other', { at: now - minute }),
    row('first', { ...aTry(0), session: 'first' as SessionKey, at: now - 2 * hour }),
    row('started', { askedBy: 'first' as SessionKey, at: now }),
    row('put away', { ...aTry(3), isArchived: true }),
  ];
  assert.deepEqual(idsOf(sectionsOf(rows, now)), {
    running: ['first', 'started', 'second', 'third'],
    today: ['other'],
    archived: ['put away'],
  });
});

test('the words of a row have numbers only with their nouns', () => {
  const files = { added: 3, removed: 1, unreviewed: 2 };
  const words = (fields: Partial<SessionRow>, isUnread = false) => {
    const one = row('a', fields);
    return [stateWords(one, isUnread), waitingWords(one)];
  };
  assert.deepEqual(words({ state: 'running', ...files }), ['Working', '2 files to review']);
  assert.deepEqual(words({ state: 'failed', ...files, unreviewed: 1 }), ['Stopped', '1 file to review']);
  assert.deepEqual(words({ state: 'idle', ...files }, true), ['2 files to review', '']);
  assert.deepEqual(
    [words({ state: 'idle' }, true), words({})],
    [
      ['Done', ''],
      ['', ''],
    ],
  );
  assert.deepEqual(words({ ...files, ...aTry(0) }), ['Done', '']);
  const checked = (['passed', 'failed'] as const).map((check) => words(aTry(0, { check }))[0]);
  assert.deepEqual(checked, ['Check passed', 'Check failed']);
});

test('a row says where its session works', () => {
  const words = (fields: Partial<SessionRow>) => workplaceWords(row('a', { branch: 'fix', ...fields }));
  assert.equal(words({}), 'harbor');
  assert.equal(words({ workplace: 'thisFolder' }), 'this folder');
  assert.equal(words({ workplace: 'worktree' }), 'fix');
  assert.equal(workplaceWords(row('a', { workplace: 'worktree' })), 'harbor');
  assert.equal(words({ workplace: 'ownCopy' }), 'own copy');
});

test('the tries of a task are counted by what they do', () => {
  const states = ['closed', 'running', 'idle', 'needsYou', 'failed'] as const;
  const words = triesWords(states.map((state) => row(state, { state, ...aTry(0) })));
  assert.equal(words, '5 tries: 1 waiting for you, 1 stopped, 2 done, 1 working');
  assert.equal(triesWords([row('a'), row('b')]), '2 tries: 2 done');
});

test('wrong links between sessions hide none of them', () => {
  const key = (name: string) => name as SessionKey;
  const rows = [
    row('a', { session: key('a'), askedBy: key('b') }),
    row('b', { session: key('b'), askedBy: key('a') }),
    row('own', { session: key('own'), askedBy: key('own') }),
    row('archived', { session: key('archived'), askedBy: key('a'), isArchived: true }),
  ];
  assert.deepEqual(idsOf(sectionsOf(rows, now)), { today: ['a', 'b', 'own'], archived: ['archived'] });
});

test('held rows keep their places, and only what they show changes', () => {
  const before = sectionsOf([row('a'), row('b', { at: now - 1 }), row('c', { at: now - 2 })], now);
  const held = holdPlaces(before, [row('c', { state: 'needsYou' }), row('a'), row('new')]);
  assert.deepEqual(idsOf(held), { today: ['a', 'c'] });
  assert.equal(held[0]?.rows[1]?.state, 'needsYou');
});

test('a search needs all words, in title, agent, folder, or branch', () => {
  const one = row('Bump eslint to 10', { branch: 'feat/lint' });
  assert.ok(isShown(one, {}, ' ESLINT claude '));
  assert.ok(isShown(one, {}, 'feat/lint'));
  assert.ok(!isShown(one, {}, 'eslint codex'));
});

test('a filter limits by state, agent, and folder', () => {
  const one = row('a', { unreviewed: 2 });
  assert.ok(isShown(one, { state: 'unreviewed', folder: 'harbor', agentId: one.agentId }, ''));
  assert.ok(!isShown(one, { state: 'needsYou' }, ''));
  assert.ok(!isShown(one, { folder: 'other' }, ''));
  assert.ok(!isShown(one, { agentId: 'settings:Codex' as AgentId }, ''));
});

test('times are relative today, then days, then dates', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, ''],
    [now + hour, 'now'],
    [now - 30_000, 'now'],
    [now - 4 * minute, '4 min'],
    [now - 5 * hour, '5 h'],
    [startOfDay(now) - minute, 'Wed'],
    [new Date(2026, 10, 3).getTime(), 'Nov 3'],
    [new Date(2025, 10, 3).getTime(), 'Nov 3, 2025'],
  ];
  for (const [at, words] of cases) assert.equal(ago(at, now, 'en'), words);
  const sentences = [now - 30_000, now - 4 * minute, now - 3 * 60 * minute, 0].map((at) => timeAgo(at, now, 'en'));
  assert.deepEqual(sentences, ['now', '4 min ago', '3 h ago', '']);
});

test('shortly after midnight, yesterday is minutes ago', () => {
  const midnight = startOfDay(now);
  assert.equal(ago(midnight - 10 * minute, midnight + 10 * minute, 'en'), '20 min');
  assert.equal(timeAgo(midnight - 10 * minute, midnight + 10 * minute, 'en'), '20 min ago');
});
