import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import {
  changesAtLine,
  hunksInChange,
  lineBeside,
  lineOfBaseLine,
  nextPlace,
  positionAt,
  previousPlace,
  type ChangePlace,
} from './changePlaces';
import type { FileState } from '../files/fileState';
import { ReviewLog } from '../log/reviewLog';

const author = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 } as const;
const text = (content: string, mode = 0o644): FileState => ({ kind: 'text', text: content, mode });
const binary = (hash: string): FileState => ({ kind: 'binary', hash, size: 3 });
const at = (place: ChangePlace | undefined) => place && `${place.uri} ${place.line}`;

function logOf(files: Readonly<Record<string, readonly [before: FileState, after: FileState]>>): ReviewLog {
  const log = new ReviewLog();
  for (const [uri, [before, after]] of Object.entries(files)) {
    log.track(uri, before);
    log.agentEdit(uri, after, author);
  }
  return log;
}

const log = logOf({
  a: [text('1\n2\n3\n'), text('X\n2\nY\n')],
  b: [text('1\n2\n'), { kind: 'absent' }],
  c: [binary('1'), binary('2')],
  d: [text('1\n'), text('1\n', 0o755)],
  e: [text('1\n2\n'), text('1\nX\n', 0o755)],
});
const around = ['a 0', 'a 2', 'b 0', 'c 0', 'd 0', 'e 0', 'e 1'];

test('visits every change across files and wraps around after the last', () => {
  const steps = (find: typeof nextPlace, uri: string, line: number) => {
    const found: (string | undefined)[] = [];
    for (let step = 0; step < around.length; step++) {
      const place = find(log, uri, line);
      found.push(at(place));
      ({ uri, line } = place ?? { uri: '', line: 0 });
    }
    return found;
  };
  assert.deepEqual(steps(nextPlace, 'e', 1), around);
  assert.deepEqual(steps(previousPlace, 'a', 0), around.toReversed());
  assert.equal(at(nextPlace(log, '', -1)), 'a 0');
  assert.equal(nextPlace(new ReviewLog(), 'a', 0), undefined);
});

test('returns the pending changes at a line', () => {
  for (const uri of ['b', 'c', 'd']) {
    const file = log.file(uri)!;
    const all = [...file.hunks, ...file.traitChanges].map(({ id }) => id);
    assert.deepEqual([changesAtLine(file, 0), all.length], [all, 1], uri);
  }
  const e = log.file('e')!;
  assert.deepEqual(changesAtLine(e, 0), [e.traitChanges[0]?.id]);
  assert.deepEqual(changesAtLine(e, 1), [e.hunks[0]?.id]);
  assert.deepEqual(changesAtLine(log.file('a')!, 1), []);
});

test('maps a line of the last kept text to the file', () => {
  const { hunks } = logOf({ a: [text('1\n2\n3\n4\n'), text('0\n0\n1\n2\n4\n')] }).file('a')!;
  assert.deepEqual(
    [0, 1, 2, 3].map((line) => lineOfBaseLine(hunks, line)),
    [2, 3, 4, 4],
  );
});

test('matches a change of another diff to overlapping hunks only', () => {
  const lines = Array.from({ length: 12 }, (_, line) => `${line + 1}\n`);
  const after = lines.flatMap((line, index) =>
    index === 1 ? ['X\n', 'Y\n'] : index === 5 || index === 6 ? [] : [line],
  );
  const changed = logOf({ f: [text(lines.join('')), text(after.join(''))] });
  const hunks = changed.file('f')?.hunks ?? [];
  // Lines 2 and 3 are new. Below line 6, two lines are missing.
  const found = (first: number, last: number) => hunksInChange(hunks, first, last).map((hunk) => hunks.indexOf(hunk));
  assert.deepEqual([found(2, 3), found(3, 3), found(3, 5), found(1, 1), found(4, 4)], [[0], [0], [0], [], []]);
  assert.deepEqual([found(6, 0), found(5, 6), found(7, 7), found(5, 0), found(8, 9)], [[1], [1], [1], [], []]);
  assert.deepEqual([found(2, 0), found(1, 12)], [[0], [0, 1]]);
  assert.deepEqual(hunks.map(lineBeside), [1, 5]);
  assert.equal(lineBeside({ ...hunks[1]!, start: 0, end: 0 }), 0);
});

test('counts changes across files', () => {
  const shown = (uri: string, line: number) => {
    const position = positionAt(log, uri, line);
    return position && `${position.at} of ${position.count}`;
  };
  const found = [shown('a', 0), shown('a', 1), shown('a', 9), shown('c', 0), shown('e', 0), shown('e', 1)];
  assert.deepEqual(found, ['1 of 7', '1 of 7', '2 of 7', '4 of 7', '6 of 7', '7 of 7']);
  assert.equal(shown('f', 0), undefined);
  const later = logOf({ a: [text('1\n2\n'), text('1\nX\n')] });
  assert.deepEqual(positionAt(later, 'a', 0), { at: 1, count: 1 });
});
