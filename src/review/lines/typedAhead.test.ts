import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypedAhead, type OffsetChange } from './typedAhead';

/** A document with one cursor, in which somebody types. */
class Typist {
  readonly ahead = new TypedAhead();
  text: string;
  private at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  type(words: string, selected = 0): void {
    for (let at = 0; at < words.length; at++) {
      this.change([{ offset: this.at, length: at === 0 ? selected : 0, text: words.charAt(at) }]);
    }
  }

  backspace(times: number): void {
    for (let left = times; left > 0; left--) this.change([{ offset: this.at - 1, length: 1, text: '' }]);
  }

  change(changes: readonly OffsetChange[]): void {
    const [{ offset, text }] = changes as [OffsetChange];
    const { length } = changes[0]!;
    this.ahead.record(this.text, changes, [{ start: this.at, end: this.at + length }]);
    this.apply(changes);
    this.at = offset + text.length;
  }

  /** A change that isn't at the cursor. */
  writes(change: OffsetChange): void {
    this.ahead.record(this.text, [change], [{ start: this.at, end: this.at }]);
    this.apply([change]);
    if (change.offset <= this.at) this.at += change.text.length - change.length;
  }

  /** Takes out what was typed and returns it. */
  takesBack(): string {
    const words = this.ahead.words(this.text, [{ start: this.at, end: this.at }]);
    this.apply(this.ahead.edits);
    return words;
  }

  private apply(changes: readonly OffsetChange[]): void {
    for (const { offset, length, text } of changes.toSorted((a, b) => b.offset - a.offset)) {
      this.text = this.text.slice(0, offset) + text + this.text.slice(offset + length);
    }
  }
}

test('takes typed words out of a text', () => {
  const typist = new Typist('one\ntwo\n', 5);
  typist.type('fix this');
  assert.equal(typist.text, 'one\ntfix thiswo\n');
  assert.equal(typist.takesBack(), 'fix this');
  assert.equal(typist.text, 'one\ntwo\n');
});

test('restores a selection that was typed over', () => {
  const typist = new Typist('one\ntwo\nthree\n', 0);
  typist.type('ok', 13);
  assert.equal(typist.text, 'ok\n');
  assert.equal(typist.takesBack(), 'ok');
  assert.equal(typist.text, 'one\ntwo\nthree\n');
});

test('restores what Backspace removed before the typed words', () => {
  const typist = new Typist('one two', 7);
  typist.type('ab');
  typist.backspace(4);
  typist.type('x');
  assert.equal(typist.text, 'one tx');
  assert.equal(typist.takesBack(), 'x');
  assert.equal(typist.text, 'one two');
});

test('leaves out brackets that the editor closed', () => {
  const ahead = new TypedAhead();
  ahead.record('', [{ offset: 0, length: 0, text: '[]' }], [{ start: 0, end: 0 }]);
  ahead.record('[]', [{ offset: 1, length: 0, text: 'x' }], [{ start: 1, end: 1 }]);
  assert.equal(ahead.words('[x]', [{ start: 2, end: 2 }]), '[x');
  assert.deepEqual(ahead.edits, [{ offset: 0, length: 3, text: '' }]);
});

test('leaves what somebody else changed meanwhile', () => {
  const typist = new Typist('one\ntwo\nthree\n', 5);
  typist.type('ab');
  typist.writes({ offset: 0, length: 3, text: 'first' });
  typist.type('cd');
  typist.writes({ offset: 14, length: 5, text: '3' });
  assert.equal(typist.text, 'first\ntabcdwo\n3\n');
  assert.equal(typist.takesBack(), 'abcd');
  assert.equal(typist.text, 'first\ntwo\n3\n');
});

test('leaves a change of several lines around the cursor', () => {
  const typist = new Typist('one\ntwo\nthree\n', 5);
  typist.writes({ offset: 0, length: 14, text: 'all\nnew\n' });
  assert.deepEqual([typist.takesBack(), typist.text], ['', 'all\nnew\n']);
});

test('takes words out at several cursors', () => {
  const ahead = new TypedAhead();
  const cursors = [0, 4].map((at) => ({ start: at, end: at }));
  const typed = cursors.map(({ start }) => ({ offset: start, length: 0, text: 'x' }));
  ahead.record('one\ntwo\n', typed, cursors);
  assert.equal(ahead.words('xone\nxtwo\n', []), 'x');
  assert.deepEqual(ahead.edits, [
    { offset: 0, length: 1, text: '' },
    { offset: 5, length: 1, text: '' },
  ]);
});
