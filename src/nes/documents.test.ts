import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Documents } from './documents';

const [a, b] = ['file:///project/a.ts', 'file:///project/b.ts'];
const text = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');

function start() {
  const clock = { now: 1000 };
  const documents = new Documents(() => clock.now);
  let version = 1;
  for (const uri of [a, b]) documents.open(uri, 'typescript', 1, text);
  const type = (uri: string, line: number, typed = 'x') => {
    const at = { line, character: 0 };
    documents.change(uri, (version += 1), [{ range: { start: at, end: at }, text: typed }]);
  };
  const diffs = (count = 50) => documents.lastEdits(count).map(({ uri, diff }) => [uri, diff.match(/^[+]\w.*$/gm)]);
  return { clock, documents, type, diffs };
}

suite('the documents that an agent knows', () => {
  test('edits nearby and soon after are one entry', () => {
    const { clock, type, diffs } = start();
    type(a, 5);
    type(a, 15, 'y');
    clock.now += 60_000;
    type(a, 25, 'z');
    assert.deepEqual(diffs(), [[a, ['+xline 5', '+yline 15', '+zline 25']]]);
  });

  test('an edit further away, or later, begins another entry', () => {
    const far = start();
    far.type(a, 5);
    far.type(a, 16, 'y');
    assert.deepEqual(far.diffs(), [
      [a, ['+xline 5']],
      [a, ['+yline 16']],
    ]);
    const above = start();
    above.type(a, 16);
    above.type(a, 5, 'y');
    assert.equal(above.diffs().length, 2);
    const late = start();
    late.type(a, 5);
    late.clock.now += 60_001;
    late.type(a, 5, 'y');
    assert.equal(late.diffs().length, 2);
    assert.deepEqual(late.diffs(1), [[a, ['+yxline 5']]]);
    assert.deepEqual(late.diffs(0), []);
  });

  test('keeps the last 50 entries, and those of closed files', () => {
    const { documents, type, diffs, clock } = start();
    type(b, 1);
    documents.close(b);
    assert.deepEqual(diffs(), [[b, ['+xline 1']]]);
    for (let count = 0; count < 60; count++) {
      clock.now += 60_001;
      type(a, 1);
    }
    assert.equal(documents.lastEdits(1000).length, 51);
    assert.equal(
      documents.lastEdits(1000).some(({ uri }) => uri === b),
      false,
    );
  });

  test('omits an edit that changed nothing, and one too long to send', () => {
    const { documents, type, diffs } = start();
    type(a, 1, '');
    type(b, 1, 'x'.repeat(10_001));
    assert.deepEqual(diffs(), []);
    assert.equal(documents.lastActions(50).length, 2);
  });

  test('tells typing, other edits, and moves of the cursor apart', () => {
    const { clock, documents, type } = start();
    type(a, 3);
    type(a, 3, 'more');
    documents.change(a, 9, [{ text: 'new' }]);
    clock.now = 5;
    documents.moved(a, { line: 7, character: 2 });
    documents.moved('file:///unknown.ts', { line: 7, character: 2 });
    documents.change('file:///unknown.ts', 2, [{ text: '' }]);
    const at = (line: number, character = 0) => ({ line, character });
    assert.deepEqual(
      documents.lastActions(50).map(({ action, position, timestampMs }) => [action, position, timestampMs]),
      [
        ['insertChar', at(3), 1000],
        ['edit', at(3), 1000],
        ['edit', at(0), 1000],
        ['cursorMovement', at(7, 2), 5],
      ],
    );
    for (let count = 0; count < 60; count++) documents.moved(a, at(count));
    assert.equal(documents.lastActions(1000).length, 50);
    assert.deepEqual(
      documents.lastActions(1).map(({ position }) => position),
      [at(59)],
    );
  });

  test('sends other files by last use, each cut to a length', () => {
    const { documents, type } = start();
    documents.open('file:///project/long.ts', 'typescript', 1, 'x'.repeat(100_001));
    const recent = (count: number, besides: string) =>
      documents.recentFiles(count, besides).map(({ uri, text: sent }) => [uri.slice(16), sent.length]);
    const whole = text.length;
    assert.deepEqual(recent(9, ''), [
      ['long.ts', 100_000],
      ['b.ts', whole],
      ['a.ts', whole],
    ]);
    type(a, 1);
    documents.moved(b, { line: 0, character: 0 });
    assert.deepEqual(recent(1, b), [['a.ts', whole + 1]]);
    documents.close(b);
    assert.deepEqual([documents.get(b), [...documents.versions.keys()].includes(b)], [undefined, false]);
  });
});
