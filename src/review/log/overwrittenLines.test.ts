// The user's lines inside an agent's pending changes, when the agent removes them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import type { AgentAuthor, HunkId } from '../hunks/hunk';
import { random } from '../../../test/unit-support/testStates';
import { TrackedFile } from './trackedFile';
import { isConsistent } from './trackedFileData';

const agent: AgentAuthor = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 };
const absent: FileState = { kind: 'absent' };
const text = (content: string): FileState => ({ kind: 'text', text: content });

function start(base: FileState, limits = { characters: 10_000, lines: 1000 }): TrackedFile {
  let count = 0;
  return TrackedFile.start(base, { nextId: () => `h${++count}` as HunkId, limits });
}

function undone(file: TrackedFile): FileState | undefined {
  const result = file.undo('all')?.result;
  if (result) file.userEdit(result);
  assert.equal(file.status, undefined);
  return result;
}

test('an undo brings back the user’s line that an agent overwrote', () => {
  const file = start(text('a\nb\nc\n'));
  file.agentEdit(text('a\nX\nY\nc\n'), agent);
  file.userEdit(text('a\nX\nmine\nY\nc\n'));
  file.agentEdit(text('a\nZ\nc\n'), agent);
  assert.deepEqual(file.status, { kind: 'modified' });
  assert.deepEqual(undone(file), text('a\nb\nmine\nc\n'));
});

test('an undo brings back the user’s line of a deleted file', () => {
  const file = start(text('a\nb\n'));
  file.agentEdit(text('a\nb\nX\nY\n'), agent);
  file.userEdit(text('a\nb\nX\nmine\nY\n'));
  file.agentEdit(absent, agent);
  assert.deepEqual(file.status, { kind: 'deleted' });
  assert.deepEqual(undone(file), text('a\nb\nmine\n'));
});

test('a deleted new file comes back with the user’s lines', () => {
  const file = start(absent);
  file.agentEdit(text('X\nY\n'), agent);
  file.userEdit(text('X\nmine\nY\n'));
  file.agentEdit(absent, agent);
  assert.deepEqual(file.status, { kind: 'deleted' });
  assert.deepEqual(undone(file), text('mine\n'));
});

test('undoing a created file keeps overwritten lines beside the others', () => {
  const file = start(absent);
  file.agentEdit(text('X\nY\nZ\n'), agent);
  file.userEdit(text('X\none\nY\ntwo\nZ\n'));
  file.agentEdit(text('X\nY\ntwo\nnew\n'), agent);
  assert.deepEqual(undone(file), text('one\ntwo\n'));
});

test('a large file that an agent created and deleted comes back', () => {
  const file = start(absent, { characters: 4, lines: 1000 });
  file.agentEdit(text('X\nY\nZ\n'), agent);
  file.userEdit(text('X\nmine\nY\nZ\n'));
  file.agentEdit(absent, agent);
  assert.deepEqual(undone(file), text('X\nmine\nY\nZ\n'));
});

test('another line break takes no line from the user', () => {
  const file = start(text('a\nb\nc\n'));
  file.agentEdit(text('a\nX\nY\nc\n'), agent);
  file.userEdit(text('a\nX\nmine\nY\nc\n'));
  file.agentEdit(text('a\r\nX\r\nmine\r\nY\r\nc\r\n'), agent);
  assert.deepEqual(file.base, text('a\nb\nc\n'));
});

test('no random edit of an agent loses a line of the user', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const next = random(seed);
    let count = 0;
    const line = (by: string) => `${by}${++count}`;
    const lines = (by: string, most: number) => Array.from({ length: next(most + 1) }, () => line(by));
    const content = (all: readonly string[]) => text(all.join('\n') + (next(3) === 0 ? '' : '\n'));
    let now = lines('u', 6);
    const file = start(next(4) === 0 ? absent : content(now));
    if (file.base.kind === 'absent') now = [];
    for (let left = 12; left > 0; left--) {
      const by = next(2) === 0 ? 'u' : 'a';
      const at = next(now.length + 1);
      const before = now;
      now = now.toSpliced(at, next(4), ...lines(by, 3));
      if (by === 'u') file.userEdit(content(now));
      else {
        const isGone = next(8) === 0;
        if (isGone) now = [];
        file.agentEdit(isGone ? absent : content(now), agent);
        const held = new Set(
          [file.base, file.current].flatMap((one) => (one.kind === 'text' ? one.text.split('\n') : [])),
        );
        const lost = before.filter((one) => one.startsWith('u') && !held.has(one));
        assert.deepEqual(lost, [], `seed ${seed}`);
      }
      assert.ok(isConsistent(file.snapshot.text), `seed ${seed}`);
    }
  }
});
