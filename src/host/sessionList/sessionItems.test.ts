import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { SessionRow } from '../../shared/pages/sessionRows';
import { sessionItems, type SessionsShown } from './sessionItems';

const minute = 60_000;
const now = new Date(2026, 10, 26, 15, 0).getTime();
const agentId = 'settings:Claude' as AgentId;

function row(name: string, fields: Partial<SessionRow> = {}): SessionRow {
  return {
    id: `own ${name}`,
    session: name as SessionKey,
    title: name,
    agentId,
    agentName: 'Claude',
    place: 'stored',
    state: 'closed',
    folder: 'harbor',
    at: now - 4 * minute,
    actions: [],
    ...fields,
  };
}

function items(rows: readonly SessionRow[], fields: Partial<SessionsShown> = {}) {
  return sessionItems({ rows, ends: [], isTrusted: true, now, ...fields });
}

suite('the quick pick of sessions', () => {
  test('has the sections of the sessions page', () => {
    const day = 24 * 60 * minute;
    const found = items([
      row('long ago', { at: now - 60 * day }),
      row('lately', { at: now - 3 * day }),
      row('now'),
      row('works', { state: 'running' }),
      row('asks', { state: 'needsYou', words: 'Allow npm test?', place: 'otherWindow' }),
      row('kept', { isPinned: true }),
      row('put away', { isArchived: true }),
    ]);
    assert.deepEqual(
      found.map(({ label }) => label),
      [
        ...['Needs you', 'asks', 'Working', 'works', 'Pinned', 'kept', 'Today', 'now'],
        ...['Earlier', 'lately', 'long ago', 'Archived', 'put away'],
      ],
    );
  });

  test('says where a session is, what it does, and how long ago', () => {
    const [, asks, , works, , here] = items([
      row('asks', { state: 'needsYou', words: 'Allow npm test?', place: 'otherWindow', branch: 'main' }),
      row('works', { state: 'running', branch: 'main', workplace: 'ownCopy', unreviewed: 1 }),
      row('here', { place: 'here', state: 'idle', at: now - 10_000, added: 14, removed: 2, unreviewed: 2 }),
    ]);
    assert.equal(asks?.description, 'Claude, Allow npm test?, in another window');
    assert.equal(asks.detail, 'harbor · main · 4 min ago');
    assert.equal(works?.description, 'Claude, Working');
    assert.equal(works.detail, 'harbor · own copy · main · 4 min ago · 1 file to review');
    assert.deepEqual([here?.description, here?.detail], ['Claude, 2 files to review, open', 'harbor · now']);
  });

  test('opens sessions by their rows, and offers nothing else', () => {
    const [, one] = items([row('one')]);
    assert.deepEqual([one?.choice, one?.buttons], [{ does: 'open', id: 'own one' }, undefined]);
  });

  test('leads to the sessions of agents, and to trust', () => {
    const ends = (['ask', 'loading', 'more', 'login', 'problem'] as const).map((state) => ({
      agentId,
      agentName: 'Codex',
      state,
      ...(state === 'login' || state === 'problem' ? { problem: `why ${state}` } : {}),
    }));
    const found = items([row('new', { place: 'here', state: 'idle', title: '' })], { ends, isTrusted: false });
    assert.deepEqual(
      found.map(({ label, choice }) => [label, choice.does]),
      [
        ['Today', 'nothing'],
        ['New session', 'open'],
        ['Sessions stored by agents', 'nothing'],
        ['Show sessions from Codex', 'ask'],
        ['Loading sessions from Codex…', 'nothing'],
        ['Show more sessions from Codex', 'ask'],
        ['why login', 'ask'],
        ['why problem', 'nothing'],
        ['This folder isn’t trusted yet, so agents can’t start here.', 'trust'],
      ],
    );
  });
});
