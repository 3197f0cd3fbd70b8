import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { decodeSessionPage } from '../../acp/decode/decodeSessions';
import { AgentHistory, type AskPage } from './agentHistory';

const never = new AbortController().signal;
const session = (sessionId: string, cwd = '/a', more: object = {}) => ({ sessionId, cwd, ...more });

function history(cwds: readonly string[], pages: Readonly<Record<string, unknown>>, platform?: NodeJS.Platform) {
  const asked: (readonly [string, string | undefined])[] = [];
  const ask: AskPage = (cwd, cursor) => {
    asked.push([cwd, cursor]);
    return Promise.resolve(decodeSessionPage(pages[cursor === undefined ? cwd : `${cwd} ${cursor}`]));
  };
  const list = new AgentHistory(cwds, ask, platform);
  return { list, asked, ids: () => list.sessions.map(({ sessionId }) => sessionId) };
}

test('requests pages one by one until the agent sends no cursor', async () => {
  const { list, asked, ids } = history(['/a'], {
    '/a': { sessions: [session('1')], nextCursor: ' %2F ' },
    '/a  %2F ': { sessions: [session('2'), session('1')], nextCursor: 'z' },
    '/a z': { sessions: [session('3')], nextCursor: null },
  });
  await list.more(never);
  assert.deepEqual([asked.length, ids(), list.hasMore], [1, ['1'], true]);
  await list.more(never);
  await list.more(never);
  assert.deepEqual([ids(), list.hasMore], [['1', '2', '3'], false]);
  await list.more(never);
  assert.deepEqual(asked, [
    ['/a', undefined],
    ['/a', ' %2F '],
    ['/a', 'z'],
  ]);
});

test('pages each folder separately and survives foreign sessions and endless cursors', async () => {
  const { list, asked, ids } = history(['/a', '/b'], {
    '/a': { sessions: [session('1'), session('other', '/c'), session('2', '/a/')], nextCursor: 'x' },
    '/a x': { sessions: [], nextCursor: 'x' },
    '/b': { sessions: [session('3', '/b')] },
  });
  await list.more(never);
  await list.more(never);
  assert.deepEqual([ids(), list.hasMore, asked.length], [['1', '2', '3'], false, 3]);
});

test('a failed page can be requested again', async () => {
  let fails = true;
  const list = new AgentHistory(['/a'], () => {
    if (fails) return Promise.reject(new Error('no'));
    return Promise.resolve(decodeSessionPage({ sessions: [session('1')] }));
  });
  await assert.rejects(list.more(never), /no/);
  assert.equal(list.hasMore, true);
  fails = false;
  await list.more(never);
  assert.equal(list.sessions.length, 1);
});

test('skips malformed items and allows missing times and titles', () => {
  const page = decodeSessionPage({
    sessions: [
      session('1', '/a', { title: ' Fix it ', updatedAt: '2026-01-02T03:04:05Z' }),
      session('2', '/a', { title: null, updatedAt: 'soon', archived: true }),
      { sessionId: '3' },
      { cwd: '/a' },
      null,
    ],
    nextCursor: 7,
  });
  assert.deepEqual(page, {
    sessions: [
      { sessionId: '1', cwd: '/a', title: 'Fix it', isArchived: false, updatedAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
      { sessionId: '2', cwd: '/a', title: '', isArchived: true },
    ],
  });
  for (const nothing of [null, {}, [], { sessions: null }])
    assert.deepEqual(decodeSessionPage(nothing), { sessions: [] });
});

test('finds sessions whose folder the agent reports with links resolved', posixOnly, async (t) => {
  const root = await realpath(tempFolder(t));
  await mkdir(join(root, 'private'));
  await symlink(join(root, 'private'), join(root, 'tmp'));
  const named = join(root, 'tmp');
  const { list, ids } = history([named], {
    [named]: { sessions: [session('1', join(root, 'private')), session('2', root)] },
  });
  await list.more(never);
  assert.deepEqual(ids(), ['1']);
});

test('finds sessions despite another case in the folder where case is ignored', async () => {
  const pages = { '/Work': { sessions: [session('1', '/work/')] } };
  for (const platform of ['linux', 'darwin'] as const) {
    const { list, ids } = history(['/Work'], pages, platform);
    await list.more(never);
    // The functions for paths are those of this machine.
    const isSame = platform === 'darwin' || process.platform === 'win32';
    assert.deepEqual(ids(), isSame ? ['1'] : []);
  }
});
