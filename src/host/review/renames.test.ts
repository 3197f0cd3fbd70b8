import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileState } from '../../review/fileState';
import type { AgentAuthor } from '../../review/hunk';
import { ReviewLog } from '../../review/reviewLog';
import type { SessionKey } from '../../shared/ids';
import { Renames } from './renames';

const agent: AgentAuthor = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 };
const later: AgentAuthor = { ...agent, turn: 2 };
const absent: FileState = { kind: 'absent' };
const text = (content: string): FileState => ({ kind: 'text', text: content });
const first = '1\n2\n3\n4\n5\n6\n';
const second = first.replace('3', 'three');

function start() {
  const log = new ReviewLog();
  const told: string[] = [];
  const renames = new Renames(log, (from, to) => told.push(`${from} to ${to}`));
  const goes = (uri: string, author = agent) => {
    log.track(uri, text(first));
    renames.agentEdit(uri, absent, author);
  };
  const comes = (uri: string, content: string, author = agent) => {
    log.track(uri, absent);
    renames.agentEdit(uri, text(content), author);
  };
  return { log, renames, told, goes, comes };
}

test('a file that goes and one that comes are one, in whichever order they are noticed', () => {
  for (const isGoneFirst of [true, false]) {
    const { log, renames, told, goes, comes } = start();
    if (isGoneFirst) goes('a');
    comes('b', second);
    if (!isGoneFirst) goes('a');
    assert.deepEqual(log.pending, ['b']);
    assert.deepEqual(log.file('b')?.status, { kind: 'renamed', from: 'a' });
    // Whoever looks at the old name again sees no deletion.
    assert.deepEqual([renames.hasMoved('a', agent), renames.hasMoved('a', later)], [true, false]);
    assert.equal(log.file('b')?.hunks.length, 1);
    assert.deepEqual([log.undo('b')?.moveTo, log.undo('b')?.result], ['a', text(first)]);
    assert.deepEqual(told, ['a to b']);
  }
});

test('they are two when they have little in common, or belong to different turns', () => {
  const { log, told, goes, comes } = start();
  goes('a');
  comes('b', 'other\n');
  comes('c', first, later);
  assert.deepEqual(log.pending, ['a', 'b', 'c']);
  assert.deepEqual(told, []);
});

test('a file that was renamed twice comes back under its first name, or needs no review there', () => {
  for (const last of ['c', 'a']) {
    const { log, goes, comes, renames } = start();
    goes('a');
    comes('b', second);
    comes(last, second);
    renames.agentEdit('b', absent, agent);
    assert.deepEqual(log.pending, [last]);
    assert.deepEqual(log.undo(last)?.moveTo, last === 'c' ? 'a' : undefined);
  }
});

test('what was changed before the rename stays of who changed it', () => {
  const { log, renames, comes } = start();
  log.track('a', text(first));
  renames.agentEdit('a', text(second), agent);
  comes('b', second, later);
  renames.agentEdit('a', absent, later);
  assert.deepEqual(log.file('b')?.hunks[0]?.authors, [agent]);
});

test('when the old name is there again, the other file was a copy', () => {
  const { log, renames, told, goes, comes } = start();
  goes('a');
  comes('b', second);
  renames.cameBack('a');
  assert.deepEqual(log.file('a')?.base, text(first));
  renames.agentEdit('a', text(first), agent);
  assert.deepEqual(log.pending, ['b']);
  assert.deepEqual(log.file('b')?.status, { kind: 'created' });
  assert.deepEqual(told, ['a to b', 'b to a']);
});

test('a file of the same content that the user wrote into stays what it is', () => {
  const { log, goes, comes } = start();
  comes('b', first);
  log.userEdit('b', text(`${first}mine\n`));
  goes('a');
  assert.deepEqual(log.pending, ['a', 'b']);
});
