import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { it } from 'node:test';
import type { SessionKey } from '../shared/values/ids';
import { triesReport } from './triesReport';
import type { TriedFile } from './triedFiles';
import type { TakenFile, Try, TryGroup } from './tryGroup';

const aTry = (session: string, agentName: string, taken: readonly TakenFile[] = []): Try => ({
  session: session as SessionKey,
  agentName,
  worktree: session,
  path: resolve('/w', session),
  branch: `parley/${session}`,
  base: 'a'.repeat(40),
  use: { ms: 0, costs: [] },
  taken,
});
const file = (path: string): TriedFile => ({ path, kind: 'changed', content: path, added: 1, removed: 1 });

it('sums up what was taken, and of how many tries', () => {
  const tries = [
    aTry('1', 'Claude', [{ path: 'whole' }, { path: 'both', changes: ['a', 'b'], count: 5 }]),
    aTry('2', 'Codex', [{ path: 'both', changes: ['c'], count: 2 }]),
    aTry('3', 'Gemini'),
  ];
  const group: TryGroup = {
    id: 'g',
    createdAt: 1,
    message: 'm',
    from: resolve('/w'),
    common: resolve('/w/.git'),
    commit: 'b'.repeat(40),
    tries,
  };
  const files = [[file('both'), file('whole')], [file('both')], [file('whole')]];
  const { rows, taken } = triesReport(group, files, () => ({ state: 'ended', isChecking: false }));
  assert.deepEqual(taken, { files: 1, changes: 3, tries: 2 });
  assert.deepEqual(
    rows.map(({ path, cells }) => [path, ...cells.map((cell) => cell?.taken)]),
    [
      ['both', { count: 2, of: 5 }, { count: 1, of: 2 }, undefined],
      ['whole', 'all', undefined, undefined],
    ],
  );
});
