import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { SessionRow } from '../../shared/pages/sessionRows';
import type { StoredListing } from '../sessions/stored/storedListing';
import type { AgentSessions } from './agentSessions';
import { agentRowId } from './sessionRows';
import { sessionItems, type ItemButtons, type SessionsShown } from './sessionItems';

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

const listing = (name: string, fields: Partial<StoredListing> = {}): StoredListing => ({
  key: name as SessionKey,
  title: name,
  agentId,
  agentName: 'Claude',
  cwd: '/work/harbor',
  size: 1,
  madeAt: 1,
  updatedAt: 5,
  isOpen: false,
  ...fields,
});

const buttons: ItemButtons = Object.fromEntries(
  ['pin', 'unpin', 'rename', 'export', 'archive', 'unarchive', 'remove'].map((tooltip) => [tooltip, { tooltip }]),
) as unknown as ItemButtons;

function items(rows: readonly SessionRow[], fields: Partial<SessionsShown> = {}) {
  const stored = rows.map(({ title }) => listing(title));
  const shown = { rows, live: [], stored, lists: [], ends: [], others: [], trusted: true, archived: false, now };
  return sessionItems({ ...shown, ...fields }, buttons);
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
        ...['Needs you', 'asks', 'Running', 'works', 'Pinned', 'kept', 'Today', 'now'],
        ...['This week', 'lately', 'Earlier', 'long ago', 'Show archived sessions'],
      ],
    );
    const archived = items([row('put away', { isArchived: true }), row('now')], { archived: true });
    assert.deepEqual(
      archived.map(({ label }) => label),
      ['Archived', 'put away', 'Back to sessions'],
    );
  });

  test('says where a session is, what it does, and how long ago', () => {
    const [, asks, , here] = items([
      row('asks', { state: 'needsYou', words: 'Allow npm test?', place: 'otherWindow', branch: 'main' }),
      row('here', { place: 'here', state: 'idle', at: now - 10_000, added: 14, removed: 2, unreviewed: 2 }),
    ]);
    assert.equal(asks?.description, 'Claude, Allow npm test?, in another window');
    assert.equal(asks.detail, 'harbor · main · 4 min ago');
    assert.deepEqual([here?.description, here?.detail], ['Claude, open', 'harbor · now · +14 −2, 2 files to review']);
  });

  test('offers only an export of a session of another window', () => {
    const names = (fields: Partial<SessionRow>) =>
      items([row('a', fields)])
        .find(({ label }) => label === 'a')
        ?.buttons?.map(({ tooltip }) => tooltip);
    assert.deepEqual(names({ place: 'otherWindow', state: 'running' }), ['export']);
    assert.deepEqual(names({}), ['pin', 'rename', 'export', 'archive', 'remove']);
  });

  test('pins, archives, and deletes sessions of agents that can’t', () => {
    const session = { sessionId: 's' as SessionId, cwd: '/work/harbor', title: 'Theirs' };
    const spec = { id: agentId, name: 'Claude' };
    const list = { spec, can: {}, sessions: [session], isOpen: () => false } as unknown as AgentSessions;
    const names = (fields: Partial<SessionRow>) =>
      items([row('Theirs', { id: agentRowId(agentId, session.sessionId), place: 'agent', ...fields })], {
        lists: [list],
        archived: fields.isArchived === true,
      })
        .find(({ label }) => label === 'Theirs')
        ?.buttons?.map(({ tooltip }) => tooltip);
    assert.deepEqual(names({}), ['pin', 'archive', 'remove']);
    assert.deepEqual(names({ isPinned: true }), ['unpin', 'archive', 'remove']);
    assert.deepEqual(names({ isArchived: true }), ['unarchive', 'remove']);
  });

  test('leads to sessions that aren’t stored yet, and to agents', () => {
    const others = [{ id: 'codex', name: 'Codex' } as AgentSpec];
    const live = [{ key: 'new' as SessionKey, transcript: createTranscript({ ...emptyView, agentId }) }];
    const found = items([row('new', { place: 'here', state: 'idle', title: '' })], { live, stored: [], others });
    assert.deepEqual(
      found.map(({ label, choice }) => [label, choice.does]),
      [
        ['Today', 'nothing'],
        ['New session', 'show'],
        ['Sessions stored by agents', 'nothing'],
        ['Show sessions from Codex', 'ask'],
      ],
    );
  });
});
