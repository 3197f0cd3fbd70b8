import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileState } from '../../../review/files/fileState';
import type { AgentAuthor } from '../../../review/hunks/hunk';
import { ReviewLog } from '../../../review/log/reviewLog';
import type { SessionKey } from '../../../shared/values/ids';
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
  const undoing = new Set<string>();
  const renames = new Renames(
    log,
    (from, to) => told.push(`${from} to ${to}`),
    (uri) => undoing.has(uri),
  );
  const goes = (uri: string, author = agent) => {
    log.track(uri, text(first));
    renames.agentEdit(uri, absent, author);
  };
  const comes = (uri: string, content: string, author = agent) => {
    log.track(uri, absent);
    renames.agentEdit(uri, text(content), author);
  };
  return { log, renames, undoing, told, goes, comes };
}

test('detects a rename in either order of deletion and creation', () => {
  for (const isGoneFirst of [true, false]) {
    const { log, renames, told, goes, comes } = start();
    if (isGoneFirst) goes('a');
    comes('b', second);
    if (!isGoneFirst) goes('a');
    assert.deepEqual(log.pending, ['b']);
    assert.deepEqual(log.file('b')?.status, { kind: 'renamed', from: 'a' });
    // A second look at the old name sees no deletion.
    assert.deepEqual([renames.hasMoved('a', agent), renames.hasMoved('a', later)], [true, false]);
    assert.equal(log.file('b')?.hunks.length, 1);
    assert.deepEqual([log.undo('b')?.moveTo, log.undo('b')?.result], ['a', text(first)]);
    assert.deepEqual(told, ['a to b']);
  }
});

test('treats files of different content or turns as no rename', () => {
  const { log, told, goes, comes } = start();
  goes('a');
  comes('b', 'other\n');
  comes('c', first, later);
  assert.deepEqual(log.pending, ['a', 'b', 'c']);
  assert.deepEqual(told, []);
});

test('excludes a file that is being undone from renames', () => {
  for (const isGoneFirst of [true, false]) {
    const { log, undoing, told, goes, comes } = start();
    if (isGoneFirst) goes('a');
    else comes('b', first);
    undoing.add(isGoneFirst ? 'a' : 'b');
    if (isGoneFirst) comes('b', first);
    else goes('a');
    assert.deepEqual(log.pending, ['a', 'b']);
    assert.deepEqual(told, []);
  }
});

test('undoing two renames restores the first name without a review', () => {
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

test('changes before the rename keep their authors', () => {
  const { log, renames, comes } = start();
  log.track('a', text(first));
  renames.agentEdit('a', text(second), agent);
  comes('b', second, later);
  renames.agentEdit('a', absent, later);
  assert.deepEqual(log.file('b')?.hunks[0]?.authors, [agent]);
});

test('treats the file as a copy if the old name exists again', () => {
  const { log, renames, told, goes, comes } = start();
  goes('a');
  comes('b', second);
  renames.cameBack('a', agent);
  assert.deepEqual(log.file('a')?.base, text(first));
  renames.agentEdit('a', text(first), agent);
  assert.deepEqual(log.pending, ['b']);
  assert.deepEqual(log.file('b')?.status, { kind: 'created' });
  assert.deepEqual(told, ['a to b', 'b to a']);
});

test('does not treat a user-edited file as renamed despite equal content', () => {
  const { log, goes, comes } = start();
  comes('b', first);
  log.userEdit('b', text(`${first}mine\n`));
  goes('a');
  assert.deepEqual(log.pending, ['a', 'b']);
});

test('a file created later under the old name has no earlier version', () => {
  const { log, renames, goes, comes } = start();
  goes('a');
  comes('b', second);
  renames.cameBack('a', later);
  assert.equal(log.file('a'), undefined);
  assert.deepEqual(log.file('b')?.status, { kind: 'renamed', from: 'a' });
});

test("the user's lines in a renamed file are never the agent's", () => {
  const { log, renames, goes, comes } = start();
  goes('a');
  comes('b', second);
  log.userEdit('b', text(`mine\n${second}`));
  renames.cameBack('a', undefined);
  assert.deepEqual(log.file('b')?.status, { kind: 'renamed', from: 'a' });
  assert.equal(log.file('a'), undefined);
});

test('nothing is left of a rename once the user removes the file', () => {
  const { log, goes, comes } = start();
  goes('a');
  comes('b', second);
  log.userEdit('b', absent);
  assert.deepEqual(log.pending, []);
});
