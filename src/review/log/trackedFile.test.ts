import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey, ToolCallId } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import { user, type AgentAuthor, type HunkId } from '../hunks/hunk';
import { applyLineEdits } from '../lines/minimalEdits';
import { editorEdits } from './reviewedFile';
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

test('gives each change of an agent a hunk with its author', () => {
  const file = edited('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n');
  assert.deepEqual(ranges(file), [
    ['h1', 1, 2, 1, 2],
    ['h2', 4, 4, 4, 5],
  ]);
  assert.deepEqual(file.hunks[0]?.authors, [agent]);
  assert.deepEqual(file.status, { kind: 'modified' });
});

test('an edit elsewhere moves a hunk but preserves its id and author', () => {
  const file = edited('a\nb\nc\nd\n', 'a\nb\nC\nd\n');
  file.agentEdit(text('new\na\nb\nC\nd\n'), later);
  assert.deepEqual(ranges(file), [
    ['h2', 0, 0, 0, 1],
    ['h1', 2, 3, 3, 4],
  ]);
  assert.deepEqual(file.hunks[1]?.authors, [agent]);
  assert.deepEqual(file.hunks[0]?.authors, [later]);
});

test('a growing hunk keeps its id and the author of each line', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  file.agentEdit(text('a\nB\nmore\nc\n'), later);
  assert.deepEqual(ranges(file), [['h1', 1, 2, 1, 3]]);
  assert.deepEqual(file.hunks[0]?.authors, [agent, later]);
  assert.deepEqual(file.hunks[0].lineAuthors, [agent, later]);
});

test("the user's text beside a hunk is kept, even at its border", () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  file.userChange([{ startLine: 2, endLine: 3, newLines: ['typed\n', 'c\n'] }]);
  file.userChange([{ startLine: 1, endLine: 1, newLines: ['before\n'] }]);
  assert.deepEqual(file.base, text('a\nbefore\nb\ntyped\nc\n'));
  assert.deepEqual(ranges(file), [['h1', 2, 3, 2, 3]]);
  assert.deepEqual(file.hunks[0]?.authors, [agent]);
});

test("text typed inside a hunk stays in it as the user's", () => {
  const file = edited('a\nb\nc\n', 'a\nX\nY\nc\n');
  file.userChange([{ startLine: 1, endLine: 2, newLines: ['X typed\n'] }]);
  assert.deepEqual(ranges(file), [['h1', 1, 2, 1, 3]]);
  assert.deepEqual(file.hunks[0]?.authors, [agent, user]);
  assert.deepEqual(file.hunks[0].lineAuthors, [user, agent]);
  assert.equal(file.undo('all')?.hasUserText, true);
});

test('typing over a hunk and its neighbor leaves the neighbor kept', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  file.userEdit(text('a\nB!\nc!\n'));
  assert.deepEqual(file.base, text('a\nb\nc!\n'));
  assert.deepEqual(ranges(file), [['h1', 1, 2, 1, 2]]);
});

test("a deletion across a hunk's border is cut at the border", () => {
  const file = edited('a\nb\nc\nd\n', 'a\nB\nnew\nc\nd\n');
  file.userChange([{ startLine: 2, endLine: 4, newLines: [] }]);
  assert.deepEqual(file.current, text('a\nB\nd\n'));
  assert.deepEqual(file.base, text('a\nb\nd\n'));
});

test('undo restores a hunk that the user typed away, with its author', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  file.userEdit(text('a\nb\nc\n'));
  assert.equal(file.status, undefined);
  file.userEdit(text('a\nB\nc\n'));
  assert.deepEqual(ranges(file), [['h1', 1, 2, 1, 2]]);
  assert.deepEqual(file.hunks[0]?.authors, [agent]);
});

test('keeps one hunk, undoes another, and undoes the keep', () => {
  const file = edited('a\nb\nc\nd\ne\n', 'a\nB\nc\nD\nnew\ne\n');
  const [first, second] = file.hunks.map(({ id }) => id);
  assert.ok(first !== undefined && second !== undefined);
  file.keep([first], 1);
  assert.deepEqual(file.base, text('a\nB\nc\nd\ne\n'));
  assert.deepEqual(undo(file, [second]), text('a\nB\nc\nd\ne\n'));
  assert.equal(file.status, undefined);
  file.unkeep(1);
  assert.deepEqual(ranges(file), [[first, 1, 2, 1, 2]]);
  assert.deepEqual(file.base, text('a\nb\nc\nd\ne\n'));
});

test('undoing a keep includes text typed into the kept hunk', () => {
  const file = edited('a\nb\nc\n', 'a\nX\nY\nc\n');
  file.keep('all', 1);
  file.userChange([{ startLine: 2, endLine: 3, newLines: ['Y typed\n'] }]);
  file.unkeep(1);
  assert.deepEqual(file.base, text('a\nb\nc\n'));
  assert.deepEqual(file.hunks[0]?.lineAuthors, [agent, user]);
});

test('undoing the keep of a created file includes text typed around it', () => {
  const file = start({ kind: 'absent' });
  file.agentEdit(text('a\n'), agent);
  file.keep('all', 1);
  file.userChange([{ startLine: 0, endLine: 0, newLines: ['mine\n'] }]);
  file.unkeep(1);
  assert.deepEqual([file.base, file.status], [{ kind: 'absent' }, { kind: 'created' }]);
  assert.deepEqual(undo(file), text('mine\n'));
});

test('an undone hunk does not return where an agent has written since', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  undo(file);
  file.agentEdit(text('a\nZ\nc\n'), later);
  file.userEdit(text('a\nB\nc\n'));
  assert.deepEqual(ranges(file), [['h2', 1, 2, 1, 2]]);
  assert.deepEqual(file.hunks[0]?.authors, [later, user]);
});

test("the editor's undo restores an undone hunk, and redo removes it", () => {
  const file = edited('\n}\nb\n', '\n}\n\n}\nb\n');
  const before = file.snapshot.text;
  const result = undo(file);
  assert.deepEqual(file.base, text('\n}\nb\n'));
  file.userEdit(text('\n}\n\n}\nb\n'));
  assert.deepEqual(file.snapshot.text, before);
  file.userEdit(result);
  assert.deepEqual(file.hunks, []);
  assert.deepEqual(file.base, text('\n}\nb\n'));
});

test('an undo among equal lines does not change the base', () => {
  const file = edited('x\n\ny\n', 'x\n\n\n\ny\n');
  const plan = file.undo('all');
  assert.ok(plan !== undefined);
  file.userEdit(plan.result);
  assert.deepEqual([file.base, file.hunks], [text('x\n\ny\n'), []]);
});

test("the editor's undo restores a hunk even after another was kept", () => {
  const file = edited('a\nb\nc\nd\n', 'new\na\nb\nC\nd\n');
  const [first, second] = file.hunks.map(({ id }) => id);
  assert.ok(first !== undefined && second !== undefined);
  undo(file, [second]);
  file.keep([first], 1);
  file.userEdit(text('new\na\nb\nC\nd\n'));
  assert.deepEqual(ranges(file), [[second, 3, 4, 3, 4]]);
});

test('an outdated plan does not discard changes kept in the meantime', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  const plan = file.undo('all');
  file.keep('all', 1);
  assert.ok(plan !== undefined);
  file.userEdit(plan.result);
  assert.deepEqual([file.base, file.hunks], [text('a\nb\nc\n'), []]);
});

test('an outdated plan does not affect text typed in the meantime', () => {
  const file = edited('a\nb\nc\n', 'a\nB\nc\n');
  file.undo('all');
  file.userChange([{ startLine: 2, endLine: 3, newLines: ['typed\n'] }]);
  assert.deepEqual(ranges(file), [['h1', 1, 2, 1, 2]]);
  assert.deepEqual(undo(file), text('a\nb\ntyped\n'));
});

test("a plan's edits without breaks produce its result in an editor", () => {
  const file = edited('a\r\nb\r\nc', 'a\r\nB\r\nnew\r\n');
  const plan = file.undo('all');
  const lines = 'a\nB\nnew\n'.split('\n');
  assert.equal(applyLineEdits(lines, editorEdits(plan?.edits ?? [])).join('\r\n'), 'a\r\nb\r\nc');
});

test('undo deletes a file that only agents wrote', () => {
  const file = start({ kind: 'absent' });
  file.agentEdit(text('a\nb\n'), agent);
  assert.deepEqual(file.status, { kind: 'created' });
  assert.deepEqual(undo(file), { kind: 'absent' });
  assert.equal(file.status, undefined);
  file.userEdit(text('a\nb\n'));
  assert.deepEqual(file.status, { kind: 'created' });
});

test('undoing a created file preserves the lines the user wrote', () => {
  const file = start({ kind: 'absent' });
  file.agentEdit(text('a\nb\n'), agent);
  file.userEdit(text('a\nmine\nb\nalso mine'));
  file.agentEdit(text('a\nmine\nb\nalso mine\nc\n'), later);
  assert.deepEqual(undo(file), text('mine\nalso mine\n'));
  assert.equal(file.status, undefined);
  file.userEdit(text('a\nmine\nb\nalso mine\nc\n'));
  assert.deepEqual(file.status, { kind: 'created' });
});

test('an empty file differs from an absent one', () => {
  const file = start({ kind: 'absent' });
  file.agentEdit(text(''), agent);
  assert.deepEqual(file.status, { kind: 'created' });
  assert.deepEqual(undo(file), { kind: 'absent' });
});

test('undoing a deletion restores the base', () => {
  const file = start(text('a\nb'));
  file.agentEdit({ kind: 'absent' }, agent);
  assert.deepEqual(file.status, { kind: 'deleted' });
  assert.equal(file.undo('all')?.edits, undefined);
  assert.deepEqual(undo(file), text('a\nb'));
});
