import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey, ToolCallId } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import type { AgentAuthor, HunkId } from '../hunks/hunk';
import { TrackedFile } from './trackedFile';

const agent: AgentAuthor = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 };
const later: AgentAuthor = { ...agent, turn: 2, toolCall: 'call' as ToolCallId };

function text(content: string): FileState {
  return { kind: 'text', text: content };
}

function start(base: FileState, options: { isGuess?: boolean; limits?: { characters: number; lines: number } } = {}) {
  let count = 0;
  return TrackedFile.start(base, { nextId: () => `h${++count}` as HunkId, ...options });
}

function edited(before: string, ...after: string[]): TrackedFile {
  const file = start(text(before));
  for (const content of after) file.agentEdit(text(content), agent);
  return file;
}

function ranges(file: TrackedFile) {
  return file.hunks.map(({ id, baseStart, baseEnd, start: from, end }) => [id, baseStart, baseEnd, from, end]);
}

/** Applies a plan as an editor would, and reports the result as the editor would. */
function undo(file: TrackedFile, ids: readonly HunkId[] | 'all' = 'all'): FileState {
  const plan = file.undo(ids);
  assert.ok(plan !== undefined);
  file.userEdit(plan.result);
  return plan.result;
}

test('undo restores breaks, byte order mark, surrogates, and a missing final break', () => {
  for (const first of ['\ufeffa\r\nb\nc\r\n', 'a\n\r\rb', 'a\r\n😀\n\u{1fa00}', '\n', '']) {
    for (const second of ['a\nb\nc\n', '\ufeffa\r\nb', '😁\n😀', '\r\n', 'a']) {
      const file = edited(first, second);
      if (first !== second) assert.deepEqual(undo(file), text(first), JSON.stringify([first, second]));
    }
  }
});

test('treats new line breaks as pending only if an agent wrote them', () => {
  const file = edited('a\nb\nc\n', 'a\r\nb\r\nc\r\n');
  assert.deepEqual(ranges(file), [['h1', 0, 3, 0, 3]]);
  const other = edited('a\nb\nc\n', 'a\nB\nc\n');
  other.userEdit(text('a\r\nB\r\nc\r\n'));
  assert.deepEqual(ranges(other), [['h1', 1, 2, 1, 2]]);
  assert.deepEqual(undo(other), text('a\r\nb\r\nc\r\n'));
});

test('recognizes an undo that the editor applied with its own line breaks', () => {
  const file = edited('a\r\nb\nc\n', 'a\r\nB\nc\n');
  file.undo('all');
  file.userEdit(text('a\nb\nc\n'));
  assert.deepEqual([file.hunks, file.base], [[], text('a\nb\nc\n')]);
});

test('treats a binary file as one change', () => {
  const file = start({ kind: 'binary', hash: 'one', size: 1 });
  file.agentEdit({ kind: 'binary', hash: 'two', size: 2 }, agent);
  assert.deepEqual(file.status, { kind: 'binary' });
  file.agentEdit(text('text\n'), later);
  assert.equal(file.hunks.length, 1);
  assert.deepEqual(undo(file), { kind: 'binary', hash: 'one', size: 1 });
});

test('separates a change of permission bits from the text', () => {
  const file = start({ kind: 'text', text: 'a', mode: 0o644 });
  file.agentEdit({ kind: 'text', text: 'a', mode: 0o755 }, agent);
  assert.deepEqual(file.status, { kind: 'mode' });
  assert.deepEqual(undo(file), { kind: 'text', text: 'a', mode: 0o644 });
  assert.equal(file.status, undefined);
});

test('a change of the byte order mark is kept or undone separately', () => {
  const file = start({ kind: 'text', text: 'a\nb', mark: 'utf8' });
  file.agentEdit({ kind: 'text', text: 'a\nb', mark: 'none' }, agent);
  assert.deepEqual([file.hunks, file.status], [[], { kind: 'mark' }]);
  assert.deepEqual(undo(file), { kind: 'text', text: 'a\nb', mark: 'utf8' });
  assert.equal(file.status, undefined);
  file.agentEdit({ kind: 'text', text: 'a\nB', mark: 'utf16le' }, agent);
  const [hunk] = file.hunks;
  assert.ok(hunk);
  assert.deepEqual(file.undo([hunk.id])?.result, { kind: 'text', text: 'a\nb', mark: 'utf16le' });
  const [mark] = file.traitChanges;
  assert.ok(mark?.kind === 'mark');
  assert.deepEqual([mark.from, mark.to, mark.authors], ['utf8', 'utf16le', [agent]]);
  file.keep([mark.id], 1);
  assert.deepEqual([file.traitChanges, file.base], [[], { kind: 'text', text: 'a\nb', mark: 'utf16le' }]);
  assert.ok(file.unkeep(1));
  assert.deepEqual(undo(file), { kind: 'text', text: 'a\nb', mark: 'utf8' });
});

test('ignores a byte order mark that is user-made or previously unknown', () => {
  const file = start({ kind: 'text', text: 'a', mark: 'none' });
  file.userEdit({ kind: 'text', text: 'a', mark: 'utf8' });
  assert.equal(file.status, undefined);
  const unknown = start(text('a'));
  unknown.agentEdit({ kind: 'text', text: 'a', mark: 'utf8' }, agent);
  assert.equal(unknown.status, undefined);
});

test('corrects a guessed base until the user keeps or undoes something', () => {
  const file = start(text('b\nc\nd\n'), { isGuess: true });
  file.agentEdit(text('b\nC\nd\n'), agent);
  file.userChange([{ startLine: 2, endLine: 3, newLines: ['d typed\n'] }]);
  assert.ok(file.correctBase(text('B0\nc\nd\n')));
  assert.deepEqual(file.base, text('B0\nc\nd typed\n'));
  assert.deepEqual(ranges(file), [['h1', 0, 2, 0, 2]]);
  assert.deepEqual(file.hunks[0]?.authors, [agent]);
  file.keep('all', 1);
  assert.equal(file.correctBase(text('other')), false);
});

test('reviews a very large text as one change until it shrinks', () => {
  const limits = { characters: 1000, lines: 5 };
  const file = start(text('1\n2\n3\n4\n5\n6\n'), { limits });
  file.agentEdit(text('1\n2\nX\n4\n5\nY\n'), agent);
  assert.equal(file.isWhole, true);
  assert.equal(file.hunks.length, 1);
  file.userChange([{ startLine: 0, endLine: 1, newLines: ['1 typed\n'] }]);
  assert.deepEqual(file.current, text('1 typed\n2\nX\n4\n5\nY\n'));
  assert.deepEqual(undo(file), text('1\n2\n3\n4\n5\n6\n'));
  file.userEdit(text('1\n2\n'));
  file.agentEdit(text('1\nX\n'), agent);
  assert.deepEqual([file.isWhole, file.hunks.length], [false, 1]);
});

test('no lines of a file are marked without its earlier content', () => {
  const unread = (stamp: string): FileState => ({ kind: 'unread', what: 'file', reason: 'large', stamp });
  const file = start(unread('before'));
  file.agentEdit(unread('after'), agent);
  assert.equal(file.hunks.length, 1);
  // An editor that shows the file reports its text.
  file.userEdit(text('# Title\nlines\n'));
  assert.deepEqual([file.isUnread, file.markedHunks], [true, []]);
  assert.equal(edited('a\n', 'b\n').markedHunks.length, 1);
});
